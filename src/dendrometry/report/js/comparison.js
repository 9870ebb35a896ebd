"use strict";
Report.run(async (data) => {
  const forest = data.trees && (await Forest.unpacked(data.trees));
  if (forest) {
    Tanglegram.start(forest, data.names);
    Tables.start(forest, Tanglegram);
  }
  if (data.levels) await Levels.start(data.levels, forest);
});

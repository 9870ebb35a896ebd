"use strict";
Report.run(async (data) => {
  if (!data.overlaps) return;
  const overlaps = await Overlaps.unpacked(data.overlaps);
  Components.start(overlaps, Flow);
  document.documentElement.dataset.usable = String(Math.round(performance.now()));
  await Flow.start(overlaps, data.names);
});

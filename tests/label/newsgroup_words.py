"""For each newsgroup the words that tell it: parts of its name and obvious subject words.

Written before any label was computed, and not to be changed to fit what comes out. A word counts only as it stands.
"""

WORDS = {
    "alt.atheism": ("atheism", "atheist", "atheists", "god", "religion"),
    "comp.graphics": ("graphics", "image", "images", "gif"),
    "comp.os.ms-windows.misc": ("ms", "windows", "dos", "microsoft"),
    "comp.sys.ibm.pc.hardware": ("ibm", "pc", "hardware", "drive", "disk", "card", "controller"),
    "comp.sys.mac.hardware": ("mac", "hardware", "apple", "macintosh"),
    "comp.windows.x": ("windows", "window", "x11", "motif", "server"),
    "misc.forsale": ("forsale", "sale", "sell", "offer", "shipping"),
    "rec.autos": ("autos", "auto", "car", "cars", "engine"),
    "rec.motorcycles": ("motorcycles", "motorcycle", "bike", "bikes", "ride"),
    "rec.sport.baseball": ("sport", "baseball", "team", "game", "league"),
    "rec.sport.hockey": ("sport", "hockey", "team", "game", "nhl"),
    "sci.crypt": ("crypt", "cryptography", "encryption", "key", "clipper"),
    "sci.electronics": ("electronics", "electronic", "circuit", "voltage", "power"),
    "sci.med": ("med", "medical", "medicine", "doctor", "disease", "patients"),
    "sci.space": ("space", "nasa", "orbit", "launch"),
    "soc.religion.christian": ("religion", "christian", "christians", "god", "jesus", "church"),
    "talk.politics.guns": ("politics", "guns", "gun", "weapons", "firearms"),
    "talk.politics.mideast": ("politics", "mideast", "israel", "israeli", "arab"),
    "talk.politics.misc": ("politics", "government", "president", "clinton"),
    "talk.religion.misc": ("religion", "god", "bible", "christian", "jesus"),
}

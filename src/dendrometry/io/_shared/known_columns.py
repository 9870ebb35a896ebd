"""The names of columns by which tables of other packages are known; light, so that no format is loaded for them."""

BERTOPIC_COLUMNS = (
    "Parent_ID",
    "Parent_Name",
    "Child_Left_ID",
    "Child_Left_Name",
    "Child_Right_ID",
    "Child_Right_Name",
    "Distance",
)
TOPIC_COLUMNS = ("Topic", "Count", "Name")  # of BERTopic's get_topic_info
DOCUMENT_COLUMNS = ("Document", "Topic", "Name")  # of its get_document_info
GRAPHRAG_COLUMNS = frozenset({"community", "parent", "level", "entity_ids"})
CONDENSED_COLUMNS = ("parent", "child", "lambda_val", "child_size")  # of the trees of HDBSCAN
SINGLE_LINKAGE_COLUMNS = ("left_child", "right_child", "distance", "size")
QIIME_COLUMNS = ("Feature ID", "Taxon")
GTDB_COLUMNS = ("user_genome", "classification")  # of GTDB-Tk

/// Search of texts by words and by meaning. Needs nothing but the Java platform, and no network.
@org.jspecify.annotations.NullMarked
module dev.fusebox.search {
    requires static org.jspecify;

    exports dev.fusebox.search;
    exports dev.fusebox.search.model;
}

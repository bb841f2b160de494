/// Validation of call arguments against JSON Schemas that are not trusted.
@org.jspecify.annotations.NullMarked
module dev.fusebox.schema {
    requires transitive dev.fusebox.platform;
    requires transitive dev.fusebox.protocol;
    requires com.networknt.schema;
    requires static org.jspecify;

    exports dev.fusebox.schema;
}

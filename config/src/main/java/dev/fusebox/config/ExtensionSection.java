package dev.fusebox.config;

import dev.fusebox.config.ValueType.Flag;
import dev.fusebox.config.ValueType.Text;
import dev.fusebox.protocol.ExtensionIdentifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The section `extensions`.
final class ExtensionSection {
    static final SectionType SECTION = new SectionType("extensions");

    static final ConfigKey<List<String>> PASS = SECTION.key(
            "pass",
            ListType.of(new ValidatedValueType<>(
                    new Text(), ExtensionSection::complaint, "text, an identifier with a slash")),
            "[]",
            "Protocol extensions that pass unchanged between clients and servers, in addition to tasks, MCP Apps and"
                    + " skills, which the gateway supports itself: each by its identifier, as in `com.example/thing`.");

    static final ConfigKey<Boolean> LIST_APPS = SECTION.key(
            "listApps",
            new Flag(),
            "true",
            "With `expose: meta`: whether clients that render MCP Apps see the tools with apps in their list of tools,"
                    + " after the gateway's own. With `false` they see none unless they are pinned.");

    private ExtensionSection() {}

    private static @Nullable String complaint(String identifier) {
        return ExtensionIdentifier.isValid(identifier)
                ? null
                : "is not the identifier of an extension, as in com.example/thing";
    }

    static ExtensionConfig read(ConfigSection extensions) {
        return new ExtensionConfig(extensions.value(PASS), extensions.value(LIST_APPS));
    }
}

package dev.fusebox.config;

import dev.fusebox.config.ValueType.Flag;
import dev.fusebox.config.ValueType.Text;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The section `provision`.
final class ProvisionSection {
    static final SectionType SECTION = new SectionType("provision");

    private static final String OFF = "off";

    static final ConfigKey<String> REGISTRY = SECTION.key(
            "registry",
            new ValidatedValueType<>(new Text(), ProvisionSection::validateRegistry, "off, path, or https address"),
            "\"off\"",
            "Where `mcp_provision` looks for servers that are not configured: a file or a folder with"
                    + " descriptions (`server.json`), or an https address that returns them.");
    static final ConfigKey<List<ProvisionConfig.Trust>> TRUSTED = SECTION.key(
            "trusted",
            ListType.of(new TrustedPackageType()),
            "[]",
            "Packages that may be started without confirmation, each at one version: `name@1.2.3` of"
                    + " npm, `pypi:name@1.2.3`, or `oci:image@sha256:...`. One that needs variables of the"
                    + " gateway's environment is `{\"package\": \"name@1.2.3\", \"env\": [\"X\"]}`: it gets only"
                    + " those.");
    static final ConfigKey<Boolean> AUTO_PROVISION = SECTION.key(
            "autoProvision",
            new Flag(),
            "false",
            "Whether `mcp_provision` adds a server without confirmation, if the call asks for it and the"
                    + " package is trusted.");

    private ProvisionSection() {}

    static ProvisionConfig read(ConfigSection provision) {
        String registry = provision.value(REGISTRY);
        return new ProvisionConfig(
                registry.equals(OFF) ? null : registry, provision.value(TRUSTED), provision.value(AUTO_PROVISION));
    }

    private static @Nullable String validateRegistry(String registry) {
        if (!registry.contains("://")) {
            return null;
        }
        String wrong = "is not a registry; it must be a path, or an address like https://registry.example/v0.1/servers,"
                + " without a user and a fragment";
        try {
            URI uri = new URI(registry);
            boolean isPlain = uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null;
            return "https".equals(uri.getScheme()) && isPlain ? null : wrong;
        } catch (URISyntaxException unreadable) {
            return wrong;
        }
    }
}

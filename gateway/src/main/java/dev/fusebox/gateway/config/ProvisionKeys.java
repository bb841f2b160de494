package dev.fusebox.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of `provision`.
final class ProvisionKeys {
    static final String OFF = "off";

    static final ConfigKey<String> REGISTRY = ConfigKey.of(
            "registry",
            new ValidatedValueType<>(
                    new ValueType.Text(), ProvisionKeys::againstRegistry, "off, path, or https address"),
            "\"off\"",
            "Where `mcp_provision` looks for servers that are not configured: a file or a folder with descriptions"
                    + " (`server.json`), or an https address that gives some.");
    static final ConfigKey<List<ProvisionConfig.Trust>> TRUSTED = ConfigKey.of(
            "trusted",
            ListType.of(new TrustedPackageType()),
            "[]",
            "Packages that may be started without confirmation, each at one version: `name@1.2.3` of npm,"
                    + " `pypi:name@1.2.3`, or `oci:image@sha256:...`. One that needs variables of the gateway's"
                    + " environment is `{\"package\": \"name@1.2.3\", \"env\": [\"X\"]}`: it gets those and"
                    + " no others.");
    static final ConfigKey<Boolean> AUTO_PROVISION = ConfigKey.of(
            "autoProvision",
            new ValueType.Flag(),
            "false",
            "Whether `mcp_provision` adds a server by itself, if its caller wants that and its package is trusted.");

    static final List<ConfigKey<?>> ALL = List.of(REGISTRY, TRUSTED, AUTO_PROVISION);

    private ProvisionKeys() {}

    private static @Nullable String againstRegistry(String registry) {
        if (!registry.contains("://")) {
            return null;
        }
        String wrong = "is no registry; it must be a path, or an address like https://registry.example/v0.1/servers,"
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

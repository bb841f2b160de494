package dev.fusebox.gateway.config;

import java.util.List;
import java.util.Set;

/// A kind of object in a configuration file, with the keys that it may have.
enum SectionType {
    FILE("file", "the file itself"),
    SERVER("server", "a server"),
    TOOLS("tools", "tools of a server"),
    LIFECYCLE("lifecycle", "lifecycle of a server"),
    BREAKER("breaker", "breaker"),
    TOOL_BREAKER("toolBreaker", "toolBreaker"),
    RETRY("retry", "retry"),
    POOL("pool", "pool"),
    RECOVERY("recovery", "recovery"),
    HTTP("http", "http"),
    LIMITS("limits", "limits"),
    ARGUMENTS("arguments", "arguments"),
    DISCOVERY("discovery", "discovery"),
    PROVISION("provision", "provision"),
    EXECUTE("execute", "execute"),
    TELEMETRY("telemetry", "telemetry");

    static final List<SectionType> ALL = List.of(values());

    private final String label;
    private final String words;

    SectionType(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /// Its name in the schema.
    String label() {
        return label;
    }

    /// Its name for people.
    String words() {
        return words;
    }

    /// In the order of the documentation.
    List<ConfigKey<?>> keys() {
        return switch (this) {
            case FILE -> FileKeys.ALL;
            case SERVER -> ServerKeys.ALL;
            case TOOLS -> ToolKeys.ALL;
            case LIFECYCLE -> LifecycleKeys.ALL;
            case BREAKER -> BreakerKeys.ALL;
            case TOOL_BREAKER -> ToolBreakerKeys.ALL;
            case RETRY -> RetryKeys.ALL;
            case POOL -> PoolKeys.ALL;
            case RECOVERY -> RecoveryKeys.ALL;
            case HTTP -> HttpKeys.ALL;
            case LIMITS -> LimitKeys.ALL;
            case ARGUMENTS -> ArgumentKeys.ALL;
            case DISCOVERY -> DiscoveryKeys.ALL;
            case PROVISION -> ProvisionKeys.ALL;
            case EXECUTE -> ExecuteKeys.ALL;
            case TELEMETRY -> TelemetryKeys.ALL;
        };
    }

    /// What it says to keys that are none of these.
    UnknownKeys unknownKeys() {
        return new UnknownKeys(this, later(), foreignKeys());
    }

    /// Keys that are not supported yet.
    Set<String> later() {
        return switch (this) {
            case FILE -> FileKeys.LATER;
            case SERVER -> ServerKeys.LATER;
            case HTTP -> HttpKeys.LATER;
            case TELEMETRY -> TelemetryKeys.LATER;
            case TOOLS,
                    LIFECYCLE,
                    BREAKER,
                    TOOL_BREAKER,
                    RETRY,
                    POOL,
                    RECOVERY,
                    LIMITS,
                    ARGUMENTS,
                    DISCOVERY,
                    PROVISION,
                    EXECUTE -> Set.of();
        };
    }

    /// Keys that files of clients carry.
    List<ForeignKey> foreignKeys() {
        return switch (this) {
            case FILE -> FileKeys.FOREIGN;
            case SERVER -> ServerKeys.FOREIGN;
            case TOOLS,
                    LIFECYCLE,
                    BREAKER,
                    TOOL_BREAKER,
                    RETRY,
                    POOL,
                    RECOVERY,
                    HTTP,
                    LIMITS,
                    ARGUMENTS,
                    DISCOVERY,
                    PROVISION,
                    EXECUTE,
                    TELEMETRY -> List.of();
        };
    }
}

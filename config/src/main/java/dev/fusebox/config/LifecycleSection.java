package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Flag;
import dev.fusebox.config.ValueType.Whole;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The section `lifecycle` of a server: one word, or an object. Immutable.
final class LifecycleSection implements ValueType<IdlePolicy> {
    /// The modes.
    enum Mode {
        KEEP_ALIVE,
        EPHEMERAL
    }

    static final SectionType SECTION = new SectionType("lifecycle", "lifecycle of a server", Set.of(), List.of());

    static final ConfigKey<Mode> MODE = SECTION.key(
            "mode",
            Choice.of(Mode.values()),
            "",
            "`keep-alive`: the server keeps running and is never stopped to make room; `ephemeral`: it is"
                    + " stopped as soon as it is idle.");
    static final ConfigKey<Long> IDLE_TIMEOUT_MS = SECTION.key(
            "idleTimeoutMs",
            Whole.MILLIS,
            "",
            "With `keep-alive`: the server is stopped after being idle for this long. Without a mode: a"
                    + " process of one session is stopped after the session has not used it for this long;"
                    + " if left out, half an hour.");
    static final ConfigKey<Boolean> EAGER =
            SECTION.key("eager", new Flag(), "false", "With `keep-alive`: whether the server starts with the gateway.");
    static final ConfigKey<Long> LINGER_MS = SECTION.key(
            "lingerMs",
            new Whole(0, 3_600_000),
            "0",
            "With `ephemeral`: how long the server waits for more calls before it is stopped.");

    @Override
    public @Nullable IdlePolicy read(JsonView value, SourceLocation location) {
        if (!value.isObject()) {
            Mode word = MODE.valueType().read(value, location);
            return word == null ? null : read(ConfigSection.empty(location), word);
        }
        ConfigSection section = ConfigSection.read(SECTION, value, location);
        Mode mode = section.written(MODE);
        if (mode != null) {
            return read(section, mode);
        }
        if (!section.has(MODE) && section.has(IDLE_TIMEOUT_MS)) {
            refuse(section, LINGER_MS, Mode.EPHEMERAL);
            refuse(section, EAGER, Mode.KEEP_ALIVE);
            Duration idle = idle(section);
            return idle == null ? null : new IdlePolicy.Usual(idle);
        }
        if (!section.has(MODE)) {
            location.error("has no \"mode\"; it must be " + MODE.valueType().words());
        }
        return null;
    }

    private static IdlePolicy read(ConfigSection section, Mode mode) {
        return switch (mode) {
            case KEEP_ALIVE -> {
                refuse(section, LINGER_MS, Mode.EPHEMERAL);
                yield new IdlePolicy.KeepAlive(idle(section), section.value(EAGER));
            }
            case EPHEMERAL -> {
                refuse(section, IDLE_TIMEOUT_MS, Mode.KEEP_ALIVE);
                refuse(section, EAGER, Mode.KEEP_ALIVE);
                yield new IdlePolicy.Ephemeral(section.millis(LINGER_MS));
            }
        };
    }

    private static @Nullable Duration idle(ConfigSection section) {
        Long idle = section.written(IDLE_TIMEOUT_MS);
        return idle == null ? null : Duration.ofMillis(idle);
    }

    private static void refuse(ConfigSection section, ConfigKey<?> key, Mode other) {
        if (section.has(key)) {
            section.at(key).error("is only valid with mode \"" + Choice.word(other) + "\"");
        }
    }

    @Override
    public String words() {
        return MODE.valueType().words() + ", or object";
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("anyOf").beginArray().beginObject();
        MODE.valueType().describe(schema);
        schema.endObject().beginObject();
        schema.name("$ref").string("#/$defs/" + SECTION.label());
        schema.endObject().endArray();
    }
}

package dev.fusebox.gateway.config;

import dev.fusebox.gateway.pool.IdlePolicy;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A lifecycle: one word, or an object that says more. Immutable.
record LifecycleValueType() implements ValueType<IdlePolicy> {
    @Override
    public @Nullable IdlePolicy read(JsonView value, SourceLocation location) {
        if (!value.isObject()) {
            Lifecycle word = LifecycleKeys.MODE.valueType().read(value, location);
            return word == null ? null : plain(word);
        }
        ConfigSection section = ConfigSection.read(SectionType.LIFECYCLE, value, location);
        Lifecycle mode = section.written(LifecycleKeys.MODE);
        if (mode == null) {
            if (!section.has(LifecycleKeys.MODE) && section.has(LifecycleKeys.IDLE_TIMEOUT_MS)) {
                return usual(section);
            }
            if (!section.has(LifecycleKeys.MODE)) {
                location.error("has no \"mode\"; it must be "
                        + LifecycleKeys.MODE.valueType().words());
            }
            return null;
        }
        return switch (mode) {
            case KEEP_ALIVE -> keepAlive(section);
            case EPHEMERAL -> ephemeral(section);
        };
    }

    private static @Nullable IdlePolicy usual(ConfigSection section) {
        refuse(section, LifecycleKeys.LINGER_MS, Lifecycle.EPHEMERAL);
        refuse(section, LifecycleKeys.EAGER, Lifecycle.KEEP_ALIVE);
        Long idle = section.written(LifecycleKeys.IDLE_TIMEOUT_MS);
        return idle == null ? null : new IdlePolicy.Usual(Duration.ofMillis(idle));
    }

    private static IdlePolicy plain(Lifecycle word) {
        return switch (word) {
            case KEEP_ALIVE -> new IdlePolicy.KeepAlive(null, false);
            case EPHEMERAL -> new IdlePolicy.Ephemeral(Duration.ZERO);
        };
    }

    private static IdlePolicy keepAlive(ConfigSection section) {
        refuse(section, LifecycleKeys.LINGER_MS, Lifecycle.EPHEMERAL);
        Long idle = section.written(LifecycleKeys.IDLE_TIMEOUT_MS);
        return new IdlePolicy.KeepAlive(
                idle == null ? null : Duration.ofMillis(idle), section.value(LifecycleKeys.EAGER));
    }

    private static IdlePolicy ephemeral(ConfigSection section) {
        refuse(section, LifecycleKeys.IDLE_TIMEOUT_MS, Lifecycle.KEEP_ALIVE);
        refuse(section, LifecycleKeys.EAGER, Lifecycle.KEEP_ALIVE);
        return new IdlePolicy.Ephemeral(Duration.ofMillis(section.value(LifecycleKeys.LINGER_MS)));
    }

    private static void refuse(ConfigSection section, ConfigKey<?> key, Lifecycle other) {
        if (section.has(key)) {
            section.at(key).error("means something with the mode \"" + other.word() + "\" only");
        }
    }

    @Override
    public String words() {
        return LifecycleKeys.MODE.valueType().words() + ", or object";
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("anyOf").beginArray().beginObject();
        LifecycleKeys.MODE.valueType().describe(schema);
        schema.endObject().beginObject();
        schema.name("$ref").string("#/$defs/" + SectionType.LIFECYCLE.label());
        schema.endObject().endArray();
    }
}

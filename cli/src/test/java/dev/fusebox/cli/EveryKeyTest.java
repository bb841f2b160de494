package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigSchema;
import dev.fusebox.protocol.JsonView;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every key of the configuration has a test in which another value makes something else happen.
class EveryKeyTest {
    private static final List<Class<?>> TESTS = List.of(
            GatewayTest.class,
            BreakerKeysTest.class,
            DiscoveryKeysTest.class,
            ExecuteKeysTest.class,
            GatewayKeysTest.class,
            InitRegistrationTest.class,
            LimitKeysTest.class,
            LoginFromChatTest.class,
            SharedGatewayProcessTest.class,
            LoginKeysTest.class,
            GatewayLogTest.class,
            HeadersHelperTest.class,
            PoolKeysTest.class,
            ProvisionTest.class,
            RecoveryKeysTest.class,
            ResultKeysTest.class,
            SecretCommandTest.class,
            SemanticKeyTest.class,
            ServerKeysTest.class,
            WayOutTest.class);

    private static Set<String> shown() {
        Set<String> keys = new TreeSet<>();
        TESTS.stream()
                .flatMap(test -> Stream.of(test.getDeclaredMethods()))
                .map((Method method) -> method.getAnnotation(Shows.class))
                .filter(Objects::nonNull)
                .forEach(shows -> keys.addAll(List.of(shows.value())));
        return keys;
    }

    /// From the schema, which is written from the table of keys.
    private static Set<String> table() {
        JsonView schema = JsonView.of(ConfigSchema.json());
        JsonView places = Objects.requireNonNull(schema.member("$defs"));
        Set<String> keys = new TreeSet<>();
        add("$", schema, places, keys);
        places.forEachMember((place, described) -> add(place, described, places, keys));
        return keys;
    }

    /// A key that holds other keys is shown by these.
    private static void add(String place, JsonView described, JsonView places, Set<String> keys) {
        Objects.requireNonNull(described.member("properties")).forEachMember((name, key) -> {
            JsonView deprecated = key.member("deprecated");
            if (places.member(name) == null && (deprecated == null || !deprecated.isTrue())) {
                keys.add(place + "." + name);
            }
        });
    }

    @Test
    void every_key_has_test() {
        Set<String> missing = new TreeSet<>(table());
        missing.removeAll(shown());
        assertThat(missing).isEmpty();
    }

    @Test
    void every_tested_key_exists() {
        assertThat(table()).hasSizeGreaterThan(50).containsAll(shown());
    }
}

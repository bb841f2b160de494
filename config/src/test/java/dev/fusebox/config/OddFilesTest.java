package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Files that nobody would write: reading them gives problems or a configuration, and nothing else. The seed is
/// printed; `-Dconfig.seed=N` takes it back.
class OddFilesTest {
    private static final int FILES = 3_000;
    private static final long SEED = Long.getLong("config.seed", 20_261_121);

    private static final String GOOD = """
            { // all kinds of values
              "mcpServers": {
                "files": { "command": "npx", "args": ["-y", "${TOKEN}", "${A:-b}"], "env": {"A": "\\u0041\\ud83d"},
                  "era": "auto", "breaker": {"mode": "window", "failureRate": 0.5, "slowCallMs": null},
                  "tools": {"include": ["*"], "rename": {"a": "b"}}, "timeoutMs": 60000, },
                "web": { "url": "https://${HOST}/mcp?key=${TOKEN}", "type": "sse", "headers": {"X": "${TOKEN}"} }
              },
              "pool": {"callsAtOnce": 10, "failureThreshold": 5}, /* the rest */
              "retry": {"backoffMs": [500, 1e3, -0.5]}, "http": {"host": "127.0.0.1", "allowedOrigins": ["https://a"]},
              "expose": "proxy", "limits": {"depth": 128, },
            }
            """;

    /// What makes a parser stumble.
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "/*",
            "*/",
            "//",
            "\n",
            "\r",
            "null",
            "true",
            "1e999",
            "-",
            "0",
            "99999999999999999999",
            "${",
            "$${",
            "}",
            "\\u0000",
            "\\ud800",
            "\u0000",
            "ü",
            "😀",
            "\uFEFF",
            "\"mcpServers\":",
            "\"command\":",
            "\"url\":\"http://[",
            "\"breaker\":{\"preset\":\"flaky\"}");

    /// Written before, or refused in any case with what is made up here.
    private static final Set<String> SKIPPED =
            Set.of("mcpServers", "servers", "command", "url", "headers", "proxy", "ca", "host", "allowedOrigins");

    private static final List<String> ODD = List.of("null", "0", "-1", "1.5", "true", "\"x\"", "[]", "{}", "1e400");

    @Test
    void no_file_makes_the_reader_throw_or_reveal_a_secret() {
        System.out.println("config.seed=" + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int file = 0; file < FILES; file++) {
            byte[] text = mutated(random);
            ReadResult readResult = Reads.read(text);
            assertThat(readResult.lines()).noneMatch(line -> line.contains("s3cr3t") || line.contains("\n"));
            if (readResult instanceof ReadResult.Refused) {
                assertThat(readResult.problems()).isNotEmpty();
            }
        }
    }

    /// Every key of the table with values at the edges of what they may be, alone and together.
    @Test
    void no_value_of_any_key_makes_reading_throw() {
        SplittableRandom random = new SplittableRandom(SEED);
        int usable = 0;
        for (int file = 0; file < FILES; file++) {
            String server = "{\"command\":\"c\"" + members(ServerSection.SECTION, random) + "}";
            String text = "{\"mcpServers\":{\"one\":" + server + "}" + members(FileSection.SECTION, random) + "}";
            usable += Reads.read(text) instanceof ReadResult.Usable ? 1 : 0;
        }
        assertThat(usable).isBetween(FILES / 20, FILES - FILES / 20);
    }

    private static String members(SectionType sectionType, SplittableRandom random) {
        StringBuilder members = new StringBuilder();
        for (ConfigKey<?> key : sectionType.keys()) {
            if (!SKIPPED.contains(key.name()) && random.nextInt(4) == 0) {
                members.append(",\"").append(key.name()).append("\":").append(value(key.valueType(), random));
            }
        }
        return members.toString();
    }

    private static String value(ValueType<?> valueType, SplittableRandom random) {
        if (random.nextInt(40) == 0) {
            return ODD.get(random.nextInt(ODD.size()));
        }
        return switch (valueType) {
            case SectionValueType section ->
                "{" + members(section.sectionType(), random).replaceFirst(",", "") + "}";
            case ValueType.Whole whole -> Long.toString(random.nextBoolean() ? whole.least() : whole.most());
            case ValueType.Decimal decimal -> Double.toString(random.nextBoolean() ? decimal.least() : decimal.most());
            case ValueType.Choice<?> choice ->
                word(choice, random.nextInt(choice.meanings().size()));
            case ValueType.Flag flag -> Boolean.toString(random.nextBoolean());
            case ListType<?> list -> "[" + value(list.element(), random) + "]";
            case MapType<?> map -> "{\"a\":" + value(map.element(), random) + "}";
            case ValueType.Text text -> "\"a\"";
            case ValueType.Template text -> "\"a\"";
            case ValidatedValueType<?> checked -> value(checked.base(), random);
            case LifecycleSection stay ->
                "{" + members(LifecycleSection.SECTION, random).replaceFirst(",", "") + "}";
            case TrustedPackageType trust -> "{\"package\":\"a@1.2.3\",\"env\":[\"A\"]}";
            default -> "{}";
        };
    }

    private static String word(ValueType.Choice<?> choice, int index) {
        return "\"" + List.copyOf(choice.meanings().keySet()).get(index) + "\"";
    }

    private static byte[] mutated(SplittableRandom random) {
        StringBuilder text = new StringBuilder(GOOD);
        for (int change = random.nextInt(4); change >= 0; change--) {
            int at = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), at + random.nextInt(12));
            switch (random.nextInt(3)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                default -> text.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        if (random.nextInt(4) == 0 && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}

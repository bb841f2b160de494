package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.FuseboxCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One tool for people: what it does, a table of its arguments, and a call that can be typed. For one thread.
final class ToolPage {
    private static final String[] HEADS = {"name", "type", "required", "default", "description"};
    private static final String GAP = "  ";

    private final Screen screen;

    /// The option that means the gateway, with a space in front; empty if none is needed.
    private final String option;

    ToolPage(Screen screen, String option) {
        this.screen = screen;
        this.option = option;
    }

    /// @param tool as the gateway gives it, with its definition
    void print(JsonView tool) {
        String name = tool.string("server") + "/" + tool.string("tool");
        JsonView definition = tool.member("definition");
        JsonView schema = definition == null ? null : definition.member("inputSchema");
        line(screen.bold(ServerTable.plain(name)) + "  (clients see it as " + ServerTable.plain(tool.string("shownAs"))
                + ")");
        String description = tool.string("description");
        (description == null ? "" : description).lines().forEach(each -> line(GAP + ServerTable.plain(each)));
        line("");
        table(schema);
        line("");
        line(screen.bold("Example"));
        line(GAP + example(name, schema) + option);
    }

    private void line(String text) {
        screen.out().println(text.stripTrailing());
    }

    /// What a shell would take for something else is quoted; what a terminal would is not printed.
    private static String example(String name, @Nullable JsonView schema) {
        List<String> words = new ArrayList<>(List.of("call", name));
        words.addAll(ExampleArguments.words(schema));
        return ServerTable.plain(FuseboxCommand.of(words.toArray(String[]::new)));
    }

    private void table(@Nullable JsonView schema) {
        List<ToolParameter> parameters = ToolParameter.of(schema);
        if (schema == null || parameters.isEmpty()) {
            line("It takes no arguments" + (isOpen(schema) ? " that its schema names." : "."));
            return;
        }
        List<String[]> rows = new ArrayList<>();
        rows.add(HEADS);
        parameters.forEach(each -> rows.add(row(each, schema)));
        line(screen.bold("Arguments"));
        for (String[] row : rows) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < row.length; column++) {
                text.append(GAP).append(padded(row[column], widest(rows, column)));
            }
            line(text.toString());
        }
    }

    private static boolean isOpen(@Nullable JsonView schema) {
        JsonView others = schema == null ? null : schema.member("additionalProperties");
        return others != null && (others.isTrue() || others.isObject());
    }

    private static int widest(List<String[]> rows, int column) {
        boolean isLast = column == HEADS.length - 1;
        return isLast
                ? 0
                : rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String[] row(ToolParameter parameter, JsonView schema) {
        JsonView standard = parameter.schema().member("default");
        return new String[] {
            ServerTable.plain(parameter.name()),
            type(parameter, schema),
            parameter.isRequired() ? "yes" : "",
            standard == null ? "" : ServerTable.plain(standard.json()),
            description(parameter, schema)
        };
    }

    private static String type(ToolParameter parameter, JsonView schema) {
        Set<String> types = parameter.types();
        if (types.equals(Set.of("array"))) {
            ToolParameter element = parameter.element(schema);
            return element.types().isEmpty() ? "array" : "array of " + joined(element.types());
        }
        return types.isEmpty() ? "any" : joined(types);
    }

    private static String joined(Set<String> types) {
        return types.stream().sorted().collect(Collectors.joining("|"));
    }

    private static String description(ToolParameter parameter, JsonView schema) {
        String text =
                ServerTable.plain(parameter.schema().string("description")).strip();
        List<JsonView> all =
                parameter.takes("array") ? parameter.element(schema).choices(schema) : parameter.choices(schema);
        String choices = all.stream()
                .map(each -> {
                    String word = each.string();
                    return ServerTable.plain(word == null ? each.json() : word);
                })
                .collect(Collectors.joining(", "));
        return text
                + (text.isEmpty() || choices.isEmpty() ? "" : " ")
                + (choices.isEmpty() ? "" : "(one of: " + choices + ")");
    }
}

package dev.fusebox.cli;

import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A page about one tool: its description, a table of its arguments and an example call. For one thread.
final class ToolPage {
    private static final String[] HEADS = {"name", "type", "required", "default", "description"};
    private static final String GAP = "  ";

    /// Deeper members are only in the definition, which `--json` prints.
    private static final int DEEPEST = 3;

    /// The limit for schemas that refer to themselves.
    private static final int MAX_ROWS = 200;

    private final CommandOutput output;

    /// The option that selects the gateway, with a space in front; empty if none is needed.
    private final String option;

    /// A row of the table.
    ///
    /// @param depth the number of enclosing objects
    /// @param isInExample whether it and all enclosing objects are required
    private record Row(ToolParameter parameter, int depth, boolean isInExample) {}

    ToolPage(CommandOutput output, String option) {
        this.output = output;
        this.option = option;
    }

    /// @param tool as the gateway returns it, with its definition
    void print(JsonView tool) {
        String name = tool.string("server") + "/" + tool.string("tool");
        JsonView definition = tool.member("definition");
        JsonView schema = definition == null ? null : definition.member("inputSchema");
        line(output.bold(OutputText.plain(name)) + "  (exposed as " + OutputText.plain(tool.string("shownAs")) + ")");
        String description = tool.string("description");
        (description == null ? "" : description).lines().forEach(each -> line(GAP + OutputText.plain(each)));
        line("");
        List<Row> rows = schema == null ? List.of() : rows(ToolParameter.of(schema), schema);
        table(rows, schema);
        line("");
        line(output.bold("Example"));
        line(GAP + example(name, schema) + option);
        rows.forEach(row -> describeReplacement(row, schema));
    }

    private static List<Row> rows(List<ToolParameter> parameters, JsonView whole) {
        List<Row> rows = new ArrayList<>();
        parameters.forEach(each -> add(new Row(each, 0, each.isRequired()), whole, rows));
        return rows;
    }

    private static void add(Row row, JsonView whole, List<Row> rows) {
        rows.add(row);
        if (row.depth() == DEEPEST) {
            return;
        }
        for (ToolParameter member : row.parameter().members(whole)) {
            if (rows.size() < MAX_ROWS) {
                add(new Row(member, row.depth() + 1, row.isInExample() && member.isRequired()), whole, rows);
            }
        }
    }

    /// The example text does not match arbitrary patterns.
    private void describeReplacement(Row row, @Nullable JsonView whole) {
        ToolParameter parameter = row.parameter();
        if (whole != null && row.isInExample() && ParameterRules.hasPatternAlone(parameter, whole)) {
            line(GAP + "Replace the value of " + OutputText.plain(parameter.name()) + ": it must match "
                    + OutputText.plain(parameter.schema().string("pattern")));
        }
    }

    private void line(String text) {
        output.out().println(text.stripTrailing());
    }

    /// An example call, quoted for a shell and without terminal control characters.
    private static String example(String name, @Nullable JsonView schema) {
        List<String> words = new ArrayList<>(List.of("call", name));
        words.addAll(ExampleArguments.words(schema));
        return OutputText.plain(FuseboxCommand.of(words.toArray(String[]::new)));
    }

    private void table(List<Row> arguments, @Nullable JsonView schema) {
        if (schema == null || arguments.isEmpty()) {
            line(isClosed(schema) ? "It takes no arguments." : "Its schema declares no arguments.");
            return;
        }
        List<String[]> rows = new ArrayList<>();
        rows.add(HEADS);
        arguments.forEach(each -> rows.add(row(each, schema)));
        line(output.bold("Arguments"));
        for (String[] row : rows) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < row.length; column++) {
                text.append(GAP).append(padded(row[column], widest(rows, column)));
            }
            line(text.toString());
        }
    }

    private static boolean isClosed(@Nullable JsonView schema) {
        JsonView others = schema == null ? null : schema.member("additionalProperties");
        return others != null && others.json().equals("false");
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

    private static String[] row(Row row, JsonView schema) {
        ToolParameter parameter = row.parameter();
        JsonView standard = parameter.schema().member("default");
        return new String[] {
            GAP.repeat(row.depth()) + OutputText.plain(parameter.name()),
            type(parameter, schema),
            parameter.isRequired() ? "yes" : "",
            standard == null ? "" : OutputText.plain(standard.json()),
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
        String text = OutputText.plain(parameter.schema().string("description")).strip();
        String rules = ParameterRules.of(parameter, schema);
        return text + (text.isEmpty() || rules.isEmpty() ? "" : " ") + rules;
    }
}

package dev.fusebox.search.training;

import java.util.ArrayList;
import java.util.List;

/// A parser of comma-separated values (RFC 4180): fields in quotes may contain commas, line ends, and doubled
/// quotes. For one thread.
final class CommaSeparated {
    private final List<List<String>> rows = new ArrayList<>();
    private List<String> row = new ArrayList<>();
    private final StringBuilder field = new StringBuilder();

    private CommaSeparated() {}

    static List<List<String>> rows(String text) {
        CommaSeparated parser = new CommaSeparated();
        boolean isQuoted = false;
        for (int at = 0; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '"' && isQuoted && at + 1 < text.length() && text.charAt(at + 1) == '"') {
                parser.field.append('"');
                at++;
            } else if (next == '"') {
                isQuoted = !isQuoted;
            } else if (isQuoted || (next != ',' && next != '\n' && next != '\r')) {
                parser.field.append(next);
            } else {
                parser.end(next);
            }
        }
        parser.end('\n');
        return parser.rows;
    }

    private void end(char separator) {
        if (separator == '\r') {
            return;
        }
        row.add(field.toString());
        field.setLength(0);
        if (separator == '\n') {
            if (!row.equals(List.of(""))) {
                rows.add(row);
            }
            row = new ArrayList<>();
        }
    }
}

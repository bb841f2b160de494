package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.HiddenCharacters;

/// A writer of the Prometheus text format, version 0.0.4. Not thread-safe.
final class PrometheusText {
    private final StringBuilder text = new StringBuilder(4_096);

    /// Begins a family; all its samples must follow before the next one begins.
    void family(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    /// @param labels name, value, name, value
    void sample(String name, long value, String... labels) {
        head(name, labels);
        text.append(value).append('\n');
    }

    /// @param labels name, value, name, value
    void sample(String name, double value, String... labels) {
        head(name, labels);
        text.append(value).append('\n');
    }

    private void head(String name, String... labels) {
        text.append(name);
        if (labels.length > 0) {
            text.append('{');
            for (int i = 0; i < labels.length; i += 2) {
                text.append(i == 0 ? "" : ",").append(labels[i]).append("=\"");
                value(labels[i + 1]);
                text.append('"');
            }
            text.append('}');
        }
        text.append(' ');
    }

    private void value(String given) {
        String value = HiddenCharacters.of(given);
        for (int i = 0; i < value.length(); i++) {
            switch (value.charAt(i)) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append("\\\"");
                case '\n' -> text.append("\\n");
                default -> text.append(value.charAt(i));
            }
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

package dev.fusebox.search.training;

import dev.fusebox.search.Document;
import dev.fusebox.search.ToolNames;

/// A tool of the training or test data. Immutable.
///
/// @param server empty if the data have no servers
/// @param parameters their names and descriptions
record ToolExample(String server, String tool, String description, String parameters) {
    /// Later text is about details and blurs the vector; the same limits as in the index.
    private static final int DESCRIPTION_READ = 150;

    private static final int PARAMETERS_READ = 100;

    /// The text that is embedded.
    String text() {
        return text(!server.isEmpty(), true);
    }

    /// The text without some of its parts, so that training does not rely on them.
    String text(boolean withServer, boolean withParameters) {
        String name = withServer ? name() + " (" + ToolNames.spaced(server) + ")" : name();
        return name + ": " + beginning(description, DESCRIPTION_READ)
                + (withParameters ? " " + beginning(parameters, PARAMETERS_READ) : "");
    }

    /// Its name as words.
    String name() {
        return ToolNames.spaced(tool);
    }

    /// The description and parameters, without the names.
    String purpose() {
        return beginning(description, DESCRIPTION_READ) + " " + beginning(parameters, PARAMETERS_READ);
    }

    Document document() {
        return new Document(tool, server, description, parameters);
    }

    private static String beginning(String text, int most) {
        String line = text.replaceAll("\\s+", " ").strip();
        return line.substring(0, Math.min(most, line.length()));
    }
}

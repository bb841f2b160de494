package dev.fusebox.gateway.tools;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.search.model.SentenceModel;
import dev.fusebox.search.model.WordTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The models that are part of the application, each loaded once at first use and shared by all searches.
/// Thread-safe.
final class BundledModels {
    private static final System.Logger LOG = LazyLoggers.of(BundledModels.class);

    private static @Nullable SentenceModel model;

    private BundledModels() {}

    /// The sentence model, which takes a few tenths of a second to load; empty if the application was built without it.
    static synchronized Optional<SentenceModel> model() throws IOException {
        if (model == null) {
            model = SentenceModel.load().orElse(null);
        }
        return Optional.ofNullable(model);
    }

    /// The table of word pieces; empty if there is none or it is unusable.
    static Optional<WordTable> table() {
        return Table.TABLE;
    }

    private static final class Table {
        private static final Optional<WordTable> TABLE = loaded();

        private static Optional<WordTable> loaded() {
            try {
                return WordTable.load();
            } catch (IOException | RuntimeException | Error unusable) {
                LOG.log(Level.WARNING, "word table is unusable; tool search compares words only: " + unusable);
                return Optional.empty();
            }
        }
    }
}

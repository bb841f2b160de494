package dev.fusebox.gateway.provision;

import dev.fusebox.client.Patience;
import dev.fusebox.protocol.JsonFault;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operator's registry, as it was read last. What cannot be read is told once and passed over. Thread-safe; asking
/// blocks as the disk or the network does, when it has changed.
final class Registry {
    private static final System.Logger LOG = System.getLogger(Registry.class.getName());
    private static final int MOST_ENTRIES = 20_000;

    private final Documents documents;
    private volatile Copy copy = new Copy("", new Contents(List.of(), null, ""));

    /// What was read, and what could be seen of the documents then.
    private record Copy(Object mark, Contents contents) {}

    /// What is in it. Immutable.
    ///
    /// @param trouble why some of it is missing; null if nothing is
    /// @param edition another one for other contents
    record Contents(List<Entry> entries, @Nullable String trouble, Object edition) {
        Contents {
            entries = List.copyOf(entries);
        }
    }

    Registry(Documents documents) {
        this.documents = documents;
    }

    /// What was read before if nobody can read it now: a mirror that is away takes nothing away.
    Contents contents(Patience patience) throws InterruptedException {
        Object mark = documents.mark();
        Copy known = copy;
        if (mark.equals(known.mark())) {
            return known.contents();
        }
        try {
            Copy next = new Copy(mark, parsed(documents.read(patience)));
            copy = next;
            return next.contents();
        } catch (IOException unreadable) {
            String why = "the registry of provision.registry cannot be read: " + unreadable.getMessage();
            LOG.log(Level.WARNING, why);
            return new Contents(
                    known.contents().entries(), why, known.contents().edition());
        }
    }

    private static Contents parsed(List<byte[]> all) {
        List<Entry> entries = new ArrayList<>();
        int unreadable = 0;
        for (byte[] document : all) {
            try {
                entries.addAll(EntryReader.entries(JsonView.parse(document)));
            } catch (JsonFault noJson) {
                unreadable++;
            }
        }
        String trouble = unreadable == 0 ? null : unreadable + " of its documents are no JSON";
        List<Entry> some = entries.subList(0, Math.min(MOST_ENTRIES, entries.size()));
        return new Contents(some, trouble, new Object());
    }
}

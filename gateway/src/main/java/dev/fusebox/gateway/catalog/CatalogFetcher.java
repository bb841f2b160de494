package dev.fusebox.gateway.catalog;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A reader of all lists of one server, page by page. One malformed item does not affect the others, and only a
/// failed tool list fails the other lists, too. For one thread; [#fetch] blocks until the server has
/// answered each page.
public final class CatalogFetcher {
    private static final System.Logger LOG = LazyLoggers.of(CatalogFetcher.class);

    /// One list may fill a sixteenth of the heap: many times what the largest real servers have.
    private static final long MAX_BYTES = 32L << 20;

    private static final int MAX_NAMED = 5;

    private final String server;
    private final RequestSender requestSender;
    private final int maxPages;
    private final List<String> hiddenNames = new ArrayList<>();
    private final Map<CatalogKind, ListHint> hints = new EnumMap<>(CatalogKind.class);

    /// Sends one request to the server.
    @FunctionalInterface
    public interface RequestSender {
        Outcome ask(String method, String params);
    }

    /// The result of reading the lists. Immutable.
    public sealed interface Listed {
        /// The tools were read.
        ///
        /// @param contents for each list that failed, the last good one
        /// @param failures messages by the kind of list that failed
        /// @param hints how long each list may be used
        record All(CatalogContents contents, Map<CatalogKind, String> failures, Map<CatalogKind, ListHint> hints)
                implements Listed {
            public All {
                failures = Map.copyOf(failures);
                hints = Map.copyOf(hints);
            }

            All(CatalogContents contents, Map<CatalogKind, String> failures) {
                this(contents, failures, Map.of());
            }

            All(CatalogContents contents) {
                this(contents, Map.of());
            }
        }

        record Failed(CallFailure failure) implements Listed {}
    }

    public CatalogFetcher(String server, RequestSender requestSender, int maxPages) {
        this.server = server;
        this.requestSender = requestSender;
        this.maxPages = maxPages;
    }

    /// Reads all lists.
    ///
    /// @param last contents as of the last reading
    public Listed fetch(CatalogContents last) {
        try {
            JsonView discovered = result("server/discover", requestSender.ask("server/discover", "{}"));
            JsonView capabilities = discovered.member("capabilities");
            Map<CatalogKind, List<CatalogEntry>> catalogEntries = new EnumMap<>(CatalogKind.class);
            Map<CatalogKind, String> failures = new EnumMap<>(CatalogKind.class);
            for (CatalogKind kind : CatalogKind.values()) {
                // For a list that the server does not offer; reading a list replaces it.
                hints.put(kind, ListHint.of(discovered, true));
                if (kind.isOffered(capabilities)) {
                    catalogEntries.put(kind, catalogEntries(kind, capabilities, last, failures));
                }
            }
            warnOfHiddenNames();
            CatalogContents contents = new CatalogContents(catalogEntries, AnnouncedExtensions.in(capabilities));
            return new Listed.All(contents, failures, hints);
        } catch (Unlisted unlisted) {
            return new Listed.Failed(unlisted.failure);
        }
    }

    /// The entries that the server lists now, or the last known ones if that fails.
    private List<CatalogEntry> catalogEntries(
            CatalogKind kind, @Nullable JsonView capabilities, CatalogContents last, Map<CatalogKind, String> failures)
            throws Unlisted {
        try {
            return all(kind, kind.isAnnounced(capabilities));
        } catch (Unlisted unlisted) {
            hints.remove(kind);
            failures.put(kind, unlessFatal(kind, unlisted));
            return last.of(kind);
        }
    }

    /// A server is unusable without its tools, and a server that is gone returns no other list either.
    private static String unlessFatal(CatalogKind kind, Unlisted unlisted) throws Unlisted {
        if (kind == CatalogKind.TOOLS || !unlisted.failure.isOfOneRequest()) {
            throw unlisted;
        }
        return unlisted.sentence;
    }

    /// @param isAnnounced whether the server announces changes of the list
    private List<CatalogEntry> all(CatalogKind kind, boolean isAnnounced) throws Unlisted {
        List<CatalogEntry> catalogEntries = new ArrayList<>();
        Set<String> known = new HashSet<>();
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        long bytes = 0;
        for (int page = 0; page < maxPages; page++) {
            JsonView result = page(kind, cursor);
            if (result == null) {
                return catalogEntries;
            }
            ListHint hint = ListHint.of(result, isAnnounced);
            ListHint before = page == 0 ? null : hints.get(kind);
            hints.put(kind, before == null ? hint : before.and(hint));
            bytes += result.length();
            if (bytes > MAX_BYTES) {
                LOG.log(
                        Level.WARNING,
                        server + " has more than " + MAX_BYTES + " bytes of " + kind.member()
                                + "; the rest is ignored");
                return catalogEntries;
            }
            take(kind, listed(kind, result), catalogEntries, known);
            cursor = next(kind, result);
            if (cursor == null) {
                return catalogEntries;
            }
            if (!cursors.add(cursor)) {
                LOG.log(Level.WARNING, server + " repeats a cursor in " + kind.method() + "; the list ends there");
                return catalogEntries;
            }
        }
        LOG.log(
                Level.WARNING,
                server + " has more than " + maxPages + " pages of " + kind.member() + "; the rest is ignored");
        return catalogEntries;
    }

    /// Null if the server declares the list and does not implement it: it then answers the first page with *method
    /// not found*. Any other error gives no information about the contents.
    private @Nullable JsonView page(CatalogKind kind, @Nullable String cursor) throws Unlisted {
        String params = cursor == null ? "{}" : "{\"cursor\":" + JsonWriter.quoted(cursor) + "}";
        Outcome outcome = requestSender.ask(kind.method(), params);
        return cursor == null && isUnknownMethod(outcome) ? null : result(kind.method(), outcome);
    }

    private static boolean isUnknownMethod(Outcome outcome) {
        JsonView error = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.error() : null;
        JsonView code = error == null ? null : error.member("code");
        return code != null && code.json().equals(String.valueOf(JsonRpcErrorCode.METHOD_NOT_FOUND));
    }

    /// Null at the end of the list. A cursor is a string (revision 2025-11-25, section "Pagination"); with any
    /// other value the next page cannot be requested.
    private @Nullable String next(CatalogKind kind, JsonView result) {
        String cursor = result.string("nextCursor");
        JsonView given = result.member("nextCursor");
        if (cursor == null && given != null && !given.isNull()) {
            LOG.log(
                    Level.WARNING,
                    server + " violates the protocol: nextCursor in its answer to " + kind.method() + " is "
                            + start(given)
                            + ", which is not a string; the list ends there, and later pages are missing");
        }
        return cursor;
    }

    private List<JsonView> listed(CatalogKind kind, JsonView result) throws Unlisted {
        JsonView listed = result.member(kind.member());
        if (listed == null || !listed.isArray()) {
            throw new Unlisted(unclear(kind.method() + " without a list"));
        }
        return listed.elements();
    }

    private void take(CatalogKind kind, List<JsonView> listed, List<CatalogEntry> catalogEntries, Set<String> known) {
        for (JsonView element : listed) {
            CatalogEntry catalogEntry = CatalogEntry.of(kind, element);
            if (CatalogEntry.isNameHidden(kind, element)) {
                hiddenNames.add(JsonWriter.quoted(HiddenCharacters.line(String.valueOf(element.string(kind.key())))));
            } else if (catalogEntry == null) {
                LOG.log(Level.WARNING, server + " has an invalid entry in " + kind.member() + ": " + start(element));
            } else if (!known.add(catalogEntry.own())) {
                LOG.log(
                        Level.WARNING,
                        server + " lists two " + kind.member() + " with the same name; the first is kept: "
                                + start(element));
            } else {
                catalogEntries.add(catalogEntry);
            }
        }
    }

    private void warnOfHiddenNames() {
        if (!hiddenNames.isEmpty()) {
            String first = String.join(", ", hiddenNames.subList(0, Math.min(MAX_NAMED, hiddenNames.size())));
            LOG.log(
                    Level.WARNING,
                    server + ": omitted tools: " + hiddenNames.size()
                            + "; their names contain control or hidden characters (shown without them: "
                            + first + ")");
        }
    }

    private static String start(JsonView element) {
        String text = element.json().replaceAll("\\p{C}", " ");
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }

    private JsonView result(String method, Outcome outcome) throws Unlisted {
        return switch (outcome) {
            case Outcome.Failed(CallFailure failure) ->
                throw new Unlisted(failure, server + ": " + method + " failed: " + failure.message());
            case Outcome.Answered(Message.Answer answer) -> {
                JsonView result = answer.result();
                if (result == null) {
                    throw new Unlisted(refused(method, answer));
                }
                yield result;
            }
        };
    }

    private CallFailure refused(String method, Message.Answer answer) {
        JsonView error = answer.error();
        String message = error == null ? null : error.string("message");
        return unclear(method + " with an error: " + (message == null ? "no reason given" : message));
    }

    private CallFailure unclear(String how) {
        String message = server + " answers " + how;
        return new CallFailure(
                ErrorId.PROTOCOL_VIOLATION, FailureCategory.PROTOCOL, Delivery.REJECTED, message, Evidence.NONE);
    }

    /// A list that could not be read.
    private static final class Unlisted extends Exception {
        private static final long serialVersionUID = 1;
        private final transient CallFailure failure;
        private final String sentence;

        Unlisted(CallFailure answered) {
            this(answered, answered.message());
        }

        Unlisted(CallFailure failure, String sentence) {
            super(sentence, null, false, false);
            this.failure = failure;
            this.sentence = sentence;
        }
    }
}

package dev.fusebox.gateway.doctor;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the lists of a server other than that of its tools, and says which of them fail. For one thread; blocks
/// for as long as the server takes for each page.
final class ListChecks {
    private static final int MOST_PAGES = 100;

    private static final List<Listing> LISTINGS = List.of(
            new Listing("prompts", "prompts/list", "prompts"),
            new Listing("resources", "resources/list", "resources"),
            new Listing("resources", "resources/templates/list", "resourceTemplates"));

    private final Asking asking;

    /// Asks for one page.
    @FunctionalInterface
    interface Asking {
        /// The parameters come without braces.
        Outcome page(String method, String members);
    }

    /// @param capability of servers that have the list
    /// @param member of the answer that is the list
    private record Listing(String capability, String method, String member) {}

    /// A list that fails.
    ///
    /// @param callFailure that says so; null if an answer does
    private record Failure(String cause, @Nullable CallFailure callFailure) {}

    ListChecks(Asking asking) {
        this.asking = asking;
    }

    /// What came of it.
    ///
    /// @param findings of the lists that fail
    /// @param isAlive whether the server can be asked more
    record Result(List<Finding> findings, boolean isAlive) {}

    /// @param capabilities that the server has declared; null if it has declared none
    Result run(@Nullable JsonView capabilities, FailureDiagnosis failureDiagnosis) {
        List<Finding> findings = new ArrayList<>();
        for (Listing listing : LISTINGS) {
            boolean isOffered = capabilities != null && capabilities.member(listing.capability()) != null;
            Failure failure = isOffered ? failure(listing) : null;
            if (failure != null
                    && failure.callFailure() != null
                    && !failure.callFailure().isOfOneRequest()) {
                findings.add(failureDiagnosis.of(Check.LISTS, failure.callFailure(), listing.method()));
                return new Result(findings, false);
            }
            if (failure != null) {
                findings.add(Finding.listFailed(failure.cause()));
            }
        }
        return new Result(findings, true);
    }

    /// Null if the list is well.
    private @Nullable Failure failure(Listing listing) {
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        do {
            Outcome outcome =
                    asking.page(listing.method(), cursor == null ? "" : "\"cursor\":" + JsonWriter.quoted(cursor));
            if (outcome instanceof Outcome.Failed(CallFailure callFailure)) {
                return new Failure(listing.method() + " failed: " + callFailure.message(), callFailure);
            }
            if (cursor == null && isUnknownMethod(outcome)) {
                return null;
            }
            JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
            JsonView listed = result == null ? null : result.member(listing.member());
            if (result == null || listed == null || !listed.isArray()) {
                String how = result == null ? " with an error: " + LiveChecks.error(outcome) : " without a list";
                return new Failure("answers " + listing.method() + how, null);
            }
            cursor = result.string("nextCursor");
        } while (cursor != null && cursors.size() < MOST_PAGES && cursors.add(cursor));
        return null;
    }

    private static boolean isUnknownMethod(Outcome outcome) {
        JsonView code = outcome instanceof Outcome.Answered(Message.Answer answer)
                ? answer.frame().path("error", "code")
                : null;
        return code != null && code.json().equals(String.valueOf(JsonRpcErrorCode.METHOD_NOT_FOUND));
    }
}

package dev.fusebox.doctor;

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

/// Checks of a server's lists except that of its tools. For one thread; blocks for as long as the server takes for
/// each page.
final class ListChecks {
    private static final int MAX_PAGES = 100;

    private static final List<Listing> LISTINGS = List.of(
            new Listing("prompts", "prompts/list", "prompts"),
            new Listing("resources", "resources/list", "resources"),
            new Listing("resources", "resources/templates/list", "resourceTemplates"));

    private final PageReader pageReader;

    /// A request for one page.
    @FunctionalInterface
    interface PageReader {
        /// The parameters are passed without braces.
        Outcome page(String method, String members);
    }

    /// @param capability the capability that implies the list
    /// @param member the result's member that contains the list
    private record Listing(String capability, String method, String member) {}

    /// A list that fails.
    ///
    /// @param callFailure the failure of the request; null if the server answered
    private record Failure(String cause, @Nullable CallFailure callFailure) {}

    ListChecks(PageReader pageReader) {
        this.pageReader = pageReader;
    }

    /// The result of all list checks.
    ///
    /// @param findings of the lists that fail
    /// @param isAlive whether further requests are possible
    record Result(List<Finding> findings, boolean isAlive) {}

    /// @param capabilities declared by the server; null if it has declared none
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

    /// Null if the list is readable.
    private @Nullable Failure failure(Listing listing) {
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        do {
            Outcome outcome =
                    pageReader.page(listing.method(), cursor == null ? "" : "\"cursor\":" + JsonWriter.quoted(cursor));
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
        } while (cursor != null && cursors.size() < MAX_PAGES && cursors.add(cursor));
        return null;
    }

    private static boolean isUnknownMethod(Outcome outcome) {
        JsonView code = outcome instanceof Outcome.Answered(Message.Answer answer)
                ? answer.frame().path("error", "code")
                : null;
        return code != null && code.json().equals(String.valueOf(JsonRpcErrorCode.METHOD_NOT_FOUND));
    }
}

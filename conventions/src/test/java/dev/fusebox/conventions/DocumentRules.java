package dev.fusebox.conventions;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The rules for documents and for the content of all text files. Stateless; reads the files of the given
/// checkout.
final class DocumentRules {
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*:.*|//.*");
    private static final Pattern PLACE_ON_A_MACHINE =
            Pattern.compile("(?<![\\w.~*}-])/(home|root|work|Users|tmp)/[\\w.-]*");
    private static final Pattern REGISTRY = Pattern.compile(
            "repo1?\\.maven(\\.apache)?\\.org|registry\\.(npmjs|yarnpkg)\\.(org|com)|(deb|security)\\.debian\\.org"
                    + "|\\w+\\.sonatype\\.org|central\\.sonatype\\.com|(files\\.)?pypi\\.org|pythonhosted\\.org"
                    + "|archive\\.ubuntu\\.com|proxy\\.golang\\.org|(static\\.)?crates\\.io");
    private static final Pattern ADR_NAME = Pattern.compile("\\d{4}-[a-z0-9-]+\\.md");

    private DocumentRules() {}

    static Stream<String> missing(Checkout checkout, List<String> names) {
        return names.stream()
                .filter(name -> !Files.exists(checkout.root().resolve(name)))
                .map(name -> name + " is missing");
    }

    static Stream<String> tooLong(Markdown paper, int most) {
        long lines = paper.text().lines().count();
        return lines <= most
                ? Stream.empty()
                : Stream.of(paper.name() + " has " + lines + " lines; " + most + " are allowed");
    }

    static Stream<String> deadLinks(Checkout checkout, Markdown paper) {
        return paper.links().stream()
                .filter(link -> !ELSEWHERE.matcher(link).matches())
                .filter(link -> !isResolved(checkout, paper, link))
                .map(link -> paper.name() + ": broken link " + link);
    }

    private static boolean isResolved(Checkout checkout, Markdown paper, String link) {
        String file = link.replaceFirst("#.*", "");
        String anchor = link.substring(file.length()).replaceFirst("#", "");
        Path from = checkout.root().resolve(paper.name());
        Path target = file.isEmpty() ? from : from.resolveSibling(file).normalize();
        if (file.startsWith("/") || !target.startsWith(checkout.root()) || !Files.exists(target)) {
            return false;
        }
        boolean pointsInside = !anchor.isEmpty() && target.toString().endsWith(".md");
        return !pointsInside
                || new Markdown(file, Checkout.read(target)).anchors().contains(anchor);
    }

    static Stream<String> machinePaths(Markdown paper) {
        return matches(PLACE_ON_A_MACHINE, paper.text())
                .map(place -> paper.name() + ": " + place + " is a path on a developer's machine");
    }

    static Stream<String> registries(String name, String text) {
        return matches(REGISTRY, text).map(host -> name + ": names the registry " + host);
    }

    /// Every decision record has the sections of the template, in their order; it may have more in between.
    static Stream<String> malformedDecision(Markdown template, Markdown decision) {
        String file = Path.of(decision.name()).getFileName().toString();
        List<String> chapters = decision.chapters().stream()
                .filter(template.chapters()::contains)
                .toList();
        return Stream.of(
                        ADR_NAME.matcher(file).matches() ? "" : "is not named 0000-like-this.md",
                        decision.title().startsWith("# ") ? "" : "has no title in its first line",
                        chapters.equals(template.chapters()) ? "" : "has " + chapters + ", not " + template.chapters())
                .filter(verdict -> !verdict.isEmpty())
                .map(verdict -> decision.name() + ": " + verdict);
    }

    static Stream<String> unlisted(Markdown index, List<Markdown> decisions) {
        return decisions.stream()
                .map(decision -> Path.of(decision.name()).getFileName().toString())
                .filter(file -> !index.links().contains(file))
                .map(file -> index.name() + ": does not list " + file);
    }

    static Stream<String> duplicateNumbers(List<Markdown> decisions) {
        List<String> numbers = decisions.stream()
                .map(decision -> Path.of(decision.name()).getFileName().toString())
                .map(file -> file.replaceFirst("-.*", ""))
                .toList();
        return numbers.stream()
                .distinct()
                .filter(number -> numbers.indexOf(number) != numbers.lastIndexOf(number))
                .map(number -> "the number " + number + " is used twice");
    }

    static Stream<String> staleExcerpts(Checkout checkout, Markdown paper) {
        return paper.excerpts().stream()
                .map(excerpt -> paper.name() + ": the block from " + excerpt.file() + "#" + excerpt.region()
                        + verdict(checkout, excerpt))
                .filter(verdict -> !verdict.endsWith(" is right"));
    }

    private static String verdict(Checkout checkout, Markdown.Excerpt excerpt) {
        Path file = checkout.root().resolve(excerpt.file());
        if (excerpt.code().isEmpty()) {
            return " is missing; a ```java block must follow the marker";
        }
        if (!Files.exists(file)) {
            return " names a missing file";
        }
        List<String> regions = Markdown.regions(Checkout.read(file), excerpt.region());
        if (regions.size() != 1) {
            return " names a region that occurs " + regions.size() + " times";
        }
        boolean isSame = regions.getFirst().equals(excerpt.code());
        return isSame ? " is right" : " differs from its source:\n" + regions.getFirst();
    }

    private static Stream<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group);
    }
}

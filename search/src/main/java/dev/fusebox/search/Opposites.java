package dev.fusebox.search;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Words for opposites in the names of tools: `lock_door` and `unlock_door` have almost the same meaning for a model,
/// but must not pass for equivalent. Stateless, thread-safe.
final class Opposites {
    private static final List<String> PREFIXES = List.of("un", "dis", "de", "re");

    /// Pairs; some words have several opposites.
    private static final Map<String, List<String>> PAIRS = pairs("""
            open close  start stop  begin end  enable disable  add remove  add delete  create delete  create remove
            insert delete  push pull  push pop  upload download  encrypt decrypt  encode decode  import export
            increase decrease  increment decrement  on off  up down  install uninstall  connect disconnect
            attach detach  mount unmount  pause resume  stop resume  play pause  play stop  approve reject
            accept reject  accept decline  allow deny  allow block  grant revoke  grant deny  like dislike
            deposit withdraw  buy sell  bid ask  login logout  in out  show hide  join leave  enter exit  merge split
            compress decompress  compress extract  zip extract  next previous  first last  min max  mute unmute
            raise lower  expand collapse  archive restore  delete restore  remove restore  save load  backup restore
            send receive  send fetch  lend borrow  arm disarm  hire fire  activate deactivate  promote demote
            upgrade downgrade  subscribe cancel  book cancel  order cancel  schedule cancel  create update  update delete
            freeze thaw  open lock  undo redo  commit rollback  start cancel  publish withdraw  before after  left right
            source target  from to  checkin checkout  sync reset  heat cool  assign unassign  win lose""");

    private Opposites() {}

    private static Map<String, List<String>> pairs(String text) {
        String[] words = text.split("\\s+", -1);
        return Stream.iterate(0, i -> i + 1 < words.length, i -> i + 2)
                .flatMap(i -> Stream.of(Map.entry(words[i], words[i + 1]), Map.entry(words[i + 1], words[i])))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    /// Whether one of the names has a word that the other lacks, and the other an opposite of it.
    static boolean areIn(String name, String other) {
        List<String> words = words(name);
        List<String> others = words(other);
        return words.stream()
                .filter(word -> !others.contains(word))
                .anyMatch(word -> others.stream().anyMatch(each -> !words.contains(each) && areOpposites(word, each)));
    }

    private static List<String> words(String name) {
        return Arrays.asList(Tokenizer.spaced(name).toLowerCase(Locale.ROOT).split(" ", -1));
    }

    private static boolean areOpposites(String one, String other) {
        return PAIRS.getOrDefault(one, List.of()).contains(other)
                || PREFIXES.stream().anyMatch(prefix -> one.equals(prefix + other) || other.equals(prefix + one));
    }
}

package io.strowger.core.decode;

import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One reading of one document: where it stands, and what it found wrong so far. For one thread.
 *
 * <p>The place is a stack of names and numbers, so that a document in which all is well costs no
 * pointer.
 */
public final class DecodingContext {
  /** So many items are judged before other threads run: some hundred microseconds. */
  private static final int ITEMS = 256;

  private final Problems problems;
  private final PluginChecks plugins;
  private @Nullable String[] names = new String[8];
  private int[] items = new int[8];
  private int depth;
  private int secrets;
  private boolean misnamed;
  private final FairShare turn = new FairShare(ITEMS);

  /**
   * @param problems takes what is wrong
   * @param plugins judges plugin entries
   */
  public DecodingContext(Problems problems, PluginChecks plugins) {
    this.problems = Objects.requireNonNull(problems, "problems");
    this.plugins = Objects.requireNonNull(plugins, "plugins");
  }

  /** Of a document that cannot hold plugin entries. */
  public DecodingContext(Problems problems) {
    this(problems, (entries, at, found) -> {});
  }

  public Problems problems() {
    return problems;
  }

  public PluginChecks plugins() {
    return plugins;
  }

  /** Goes down to a member of the object that is here. */
  public void enter(String member) {
    makeRoom();
    names[depth++] = member;
  }

  /** Goes down to an item of the array that is here. */
  public void enter(int item) {
    turn.advance(1);
    makeRoom();
    names[depth] = null;
    items[depth++] = item;
  }

  /** Goes back up. */
  public void leave() {
    depth--;
  }

  private void makeRoom() {
    if (depth == items.length) {
      names = Arrays.copyOf(names, depth * 2);
      items = Arrays.copyOf(items, depth * 2);
    }
  }

  /** The place. */
  public JsonPointer at() {
    JsonPointer at = JsonPointer.ROOT;
    for (int i = 0; i < depth; i++) {
      String name = names[i];
      at = name == null ? at.child(items[i]) : at.child(name);
    }
    return at;
  }

  /**
   * Notes that what is here is wrong.
   *
   * @param allowed what would be right, as the rest of a sentence: {@code must be 0 to 2}
   * @param given what came; shown cut, and not at all while what is here is secret
   */
  public void reject(String allowed, Json given) {
    note(at(), allowed, given);
  }

  /** Notes that a member of the object that is here is wrong. */
  public void reject(String member, String allowed, Json given) {
    note(at().child(member), allowed, given);
  }

  /** Notes that an item of the array that is here is wrong. */
  public void reject(int item, String allowed, Json given) {
    note(at().child(item), allowed, given);
  }

  /** Notes that a member the object that is here has to have is not there. */
  public void missing(String member) {
    problems.missing(at().child(member));
  }

  private void note(JsonPointer at, String allowed, Json given) {
    if (secrets > 0) {
      problems.add(at, allowed, "");
    } else {
      problems.add(at, allowed, given);
    }
  }

  /** How many problems were noted so far, also those too many to keep. */
  public int found() {
    return problems.found();
  }

  /** Notes that something here is called by another name than the one it is registered under. */
  public void noteMisnamed() {
    misnamed = true;
  }

  /** Whether something in the document is called so, and nothing is wrong with the document. */
  public boolean isMisnamed() {
    return misnamed && problems.found() == 0;
  }

  /** Reads what is here without ever showing it. */
  <T> @Nullable T readSecret(Rule<T> rule, Json given) {
    secrets++;
    try {
      return rule.read(given, this);
    } finally {
      secrets--;
    }
  }
}

package io.strowger.core.decode;

import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of reading one document: the current place and the problems so far. Not thread-safe.
 *
 * <p>The place is a stack of names and indexes, so that a document without problems needs no
 * pointer.
 */
public final class DecodingContext {
  /** The array items read before the thread yields: a few hundred microseconds of work. */
  private static final int ITEMS_PER_YIELD = 256;

  private final Problems problems;
  private final PluginChecks plugins;
  private @Nullable String[] names = new String[8];
  private int[] indexes = new int[8];
  private int depth;
  private int secretDepth;
  private boolean mediaTypeAlias;
  private final FairShare fairShare = new FairShare(ITEMS_PER_YIELD);

  /**
   * @param problems receives the problems found
   * @param plugins checks plugin entries
   */
  public DecodingContext(Problems problems, PluginChecks plugins) {
    this.problems = Objects.requireNonNull(problems, "problems");
    this.plugins = Objects.requireNonNull(plugins, "plugins");
  }

  /** Creates the context of a document that cannot have plugin entries. */
  public DecodingContext(Problems problems) {
    this(problems, (entries, at, found) -> {});
  }

  public Problems problems() {
    return problems;
  }

  public PluginChecks plugins() {
    return plugins;
  }

  /** Enters a member of the current object. */
  public void enter(String member) {
    makeRoom();
    names[depth++] = member;
  }

  /** Enters an item of the current array. */
  public void enter(int item) {
    fairShare.advance(1);
    makeRoom();
    names[depth] = null;
    indexes[depth++] = item;
  }

  /** Leaves the member or item entered last. */
  public void leave() {
    depth--;
  }

  private void makeRoom() {
    if (depth == indexes.length) {
      names = Arrays.copyOf(names, depth * 2);
      indexes = Arrays.copyOf(indexes, depth * 2);
    }
  }

  /** Returns the current place. */
  public JsonPointer pointer() {
    JsonPointer at = JsonPointer.ROOT;
    for (int i = 0; i < depth; i++) {
      String name = names[i];
      at = name == null ? at.child(indexes[i]) : at.child(name);
    }
    return at;
  }

  /**
   * Adds a problem at the current place.
   *
   * @param allowed what is allowed, as the rest of a sentence: {@code must be 0 to 2}
   * @param json the rejected value; shown shortened, and not at all inside a secret
   */
  public void reject(String allowed, Json json) {
    add(pointer(), allowed, json);
  }

  /** Adds a problem at a member of the current object. */
  public void reject(String member, String allowed, Json json) {
    add(pointer().child(member), allowed, json);
  }

  /** Adds a problem at an item of the current array. */
  public void reject(int item, String allowed, Json json) {
    add(pointer().child(item), allowed, json);
  }

  /** Adds the problem that a required member of the current object is missing. */
  public void rejectMissing(String member) {
    problems.addMissing(pointer().child(member));
  }

  private void add(JsonPointer at, String allowed, Json json) {
    if (secretDepth > 0) {
      problems.add(at, allowed, "");
    } else {
      problems.add(at, allowed, json);
    }
  }

  /** Returns the number of problems found so far, including those not kept. */
  public int problemCount() {
    return problems.count();
  }

  /**
   * Records that the document names a media type by an alias, such as {@code image/jpg} for {@code
   * image/jpeg}.
   */
  public void noteMediaTypeAlias() {
    mediaTypeAlias = true;
  }

  /** Returns whether {@link #noteMediaTypeAlias} was called and the document has no problems. */
  public boolean hasMediaTypeAlias() {
    return mediaTypeAlias && problems.count() == 0;
  }

  /** Reads a value that problems never show. */
  <T> @Nullable T readSecret(Rule<T> rule, Json json) {
    secretDepth++;
    try {
      return rule.read(json, this);
    } finally {
      secretDepth--;
    }
  }
}

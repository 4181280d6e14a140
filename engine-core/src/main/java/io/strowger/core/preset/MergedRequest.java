package io.strowger.core.preset;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request with a preset merged into it, and the origin of each part, so that problems can be
 * reported at places in the caller's own body. Immutable, safe on any thread.
 */
public final class MergedRequest {
  /** Marks a list item from the preset; other items have their index in the caller's list. */
  static final int FROM_PRESET = -1;

  private final Json.Obj document;
  private final String origin;
  private final Set<String> presetMembers;
  private final Map<String, int[]> itemOrigins;

  /**
   * @param presetMembers the members that came from the preset as a whole
   * @param itemOrigins by name of a merged list, the index of each item in the caller's list, or
   *     {@link #FROM_PRESET}
   */
  MergedRequest(
      Json.Obj document, String slug, Set<String> presetMembers, Map<String, int[]> itemOrigins) {
    this.document = Objects.requireNonNull(document, "document");
    this.origin = "preset " + slug;
    this.presetMembers = Set.copyOf(presetMembers);
    this.itemOrigins = new HashMap<>(itemOrigins);
  }

  /** Returns the merged request. */
  public Json.Obj document() {
    return document;
  }

  /** Returns problems of the merged request, at their places in the caller's body. */
  public List<Problem> inCallerTerms(List<Problem> problems) {
    return problems.stream().map(this::inCallerTerms).toList();
  }

  /** Returns an error about the merged request, with places in the caller's body. */
  public GatewayError inCallerTerms(GatewayError error) {
    return error.problems().isEmpty() ? error : error.withProblems(inCallerTerms(error.problems()));
  }

  /**
   * Returns a problem of the merged request, at its place in the caller's body. A problem in a part
   * from the preset keeps its place and names the preset.
   */
  public Problem inCallerTerms(Problem problem) {
    String pointer = problem.pointer().toString();
    String member = segment(pointer, 0);
    if (member == null) {
      return problem;
    }
    if (presetMembers.contains(member)) {
      return withPresetOrigin(problem);
    }
    int[] origins = itemOrigins.get(member);
    String index = segment(pointer, 1);
    if (origins == null || index == null || !index.matches("[0-9]{1,9}")) {
      return problem;
    }
    int item = Integer.parseInt(index);
    if (item >= origins.length || origins[item] == item) {
      return problem;
    }
    return origins[item] == FROM_PRESET
        ? withPresetOrigin(problem)
        : relocate(problem, member, origins[item], pointer);
  }

  private Problem withPresetOrigin(Problem problem) {
    return new Problem(problem.pointer(), problem.allowed(), problem.value(), origin);
  }

  private static Problem relocate(Problem problem, String member, int item, String pointer) {
    JsonPointer at = JsonPointer.ROOT.child(member).child(item);
    for (int i = 2; segment(pointer, i) instanceof String name; i++) {
      at = at.child(name);
    }
    return new Problem(at, problem.allowed(), problem.value(), problem.origin());
  }

  /**
   * Returns the unescaped name at a depth of a pointer, from 0; null when the pointer is shorter.
   */
  private static @Nullable String segment(String pointer, int depth) {
    int start = 0;
    for (int i = 0; i <= depth; i++) {
      start = pointer.indexOf('/', start) + 1;
      if (start == 0) {
        return null;
      }
    }
    int end = pointer.indexOf('/', start);
    String escaped = end < 0 ? pointer.substring(start) : pointer.substring(start, end);
    return escaped.replace("~1", "/").replace("~0", "~");
  }
}

package io.strowger.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

@Label("After any edit")
class EditProperties {
  private static final String OLD = "OLD-secret-\"text\"-\u00e9\ud83d\ude00-";
  private static final String NEW = "NEW-other-\\text\\-\u20ac-";

  private final JacksonCodec codec = new JacksonCodec();

  /**
   * All texts of the document differ, so that a remnant of the old text cannot be mistaken for an
   * equal text elsewhere.
   */
  @Property
  @Label("the written bytes are read as the new value and contain the old text nowhere")
  void replacesEverywhere(@ForAll Random random) throws MalformedJsonException {
    Json.Obj original = (Json.Obj) codec.parse(document(random).toBytes());
    var paths = new ArrayList<List<Integer>>();
    collect(original, List.of(), paths);
    List<Integer> path = paths.get(random.nextInt(paths.size()));
    String old = ((Json.Str) at(original, path)).text();
    boolean removes = random.nextBoolean();

    Json edited = removes ? removed(original, path) : replaced(original, path, Json.of(NEW));
    byte[] bytes = edited.toBytes();

    assertThat(allTexts(bytes)).doesNotContain(old);
    assertThat(codec.parse(bytes)).isEqualTo(edited);
    assertThat(codec.parse(edited.detached().toBytes())).isEqualTo(edited);
    if (!removes) {
      assertThat(at(codec.parse(bytes), path)).isEqualTo(Json.of(NEW));
    }
    for (List<Integer> other : paths) {
      String kept = ((Json.Str) at(original, other)).text();
      boolean below = removes && isBelow(other, parent(path));
      if (!other.equals(path) && !below) {
        assertThat(allTexts(bytes)).contains(kept);
      }
    }
    assertThat(allTexts(original.toBytes())).contains(old);
  }

  /** Returns all texts of the document, decoded, followed by the document as it was written. */
  private String allTexts(byte[] bytes) throws MalformedJsonException {
    var texts = new StringBuilder();
    var paths = new ArrayList<List<Integer>>();
    Json read = codec.parse(bytes);
    collect(read, List.of(), paths);
    for (List<Integer> path : paths) {
      texts.append(((Json.Str) at(read, path)).text()).append('\n');
    }
    return texts + new String(bytes, StandardCharsets.UTF_8);
  }

  private static Json.Obj document(Random random) {
    var counter = new int[1];
    return Json.object()
        .put("first", Json.of(OLD + counter[0]++ + "."))
        .put("tree", value(random, 4, counter))
        .put("list", Json.array(value(random, 3, counter), value(random, 3, counter)))
        .build();
  }

  private static Json value(Random random, int depth, int[] counter) {
    return switch (depth == 0 ? 0 : random.nextInt(4)) {
      case 0, 1 -> Json.of(OLD + counter[0]++ + ".");
      case 2 -> Json.array(value(random, depth - 1, counter), value(random, depth - 1, counter));
      default ->
          Json.object()
              .put("a", value(random, depth - 1, counter))
              .put("n", random.nextInt())
              .put("b", value(random, depth - 1, counter))
              .build();
    };
  }

  private static void collect(Json json, List<Integer> path, List<List<Integer>> found) {
    if (json instanceof Json.Str) {
      found.add(path);
    } else if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        collect(object.value(i), child(path, i), found);
      }
    } else if (json instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        collect(items.get(i), child(path, i), found);
      }
    }
  }

  private static Json at(Json json, List<Integer> path) {
    for (int index : path) {
      json = inside(json, index);
    }
    return json;
  }

  private static Json inside(Json json, int index) {
    return json instanceof Json.Obj object ? object.value(index) : ((Json.Arr) json).get(index);
  }

  private static Json replaced(Json json, List<Integer> path, Json by) {
    if (path.isEmpty()) {
      return by;
    }
    int index = path.getFirst();
    Json changed = replaced(inside(json, index), path.subList(1, path.size()), by);
    return json instanceof Json.Obj object
        ? object.with(object.name(index), changed)
        : ((Json.Arr) json).with(index, changed);
  }

  /**
   * Returns the document without the member; a text in an array is removed by emptying the array.
   */
  private static Json removed(Json json, List<Integer> path) {
    List<Integer> parent = parent(path);
    Json holder = at(json, parent);
    return replaced(
        json,
        parent,
        holder instanceof Json.Obj object
            ? object.without(object.name(path.getLast()))
            : Json.array());
  }

  private static List<Integer> parent(List<Integer> path) {
    return path.subList(0, path.size() - 1);
  }

  private static boolean isBelow(List<Integer> path, List<Integer> prefix) {
    return path.size() >= prefix.size() && path.subList(0, prefix.size()).equals(prefix);
  }

  private static List<Integer> child(List<Integer> path, int index) {
    var longer = new ArrayList<>(path);
    longer.add(index);
    return longer;
  }
}

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
   * Every text of the document is distinct, so that a trace of the old one cannot hide behind an
   * equal one elsewhere.
   */
  @Property
  @Label("what is written reads back as the new value, and the old text is nowhere in it")
  void oneTruth(@ForAll Random random) throws MalformedJsonException {
    Json.Obj original = (Json.Obj) codec.parse(document(random).toBytes());
    var places = new ArrayList<List<Integer>>();
    collect(original, List.of(), places);
    List<Integer> place = places.get(random.nextInt(places.size()));
    String old = ((Json.Str) at(original, place)).text();
    boolean removes = random.nextBoolean();

    Json edited = removes ? gone(original, place) : replaced(original, place, Json.of(NEW));
    byte[] bytes = edited.toBytes();

    assertThat(decoded(bytes)).doesNotContain(old);
    assertThat(codec.parse(bytes)).isEqualTo(edited);
    assertThat(codec.parse(edited.detached().toBytes())).isEqualTo(edited);
    if (!removes) {
      assertThat(at(codec.parse(bytes), place)).isEqualTo(Json.of(NEW));
    }
    for (List<Integer> other : places) {
      String kept = ((Json.Str) at(original, other)).text();
      boolean below = removes && startsWith(other, parent(place));
      if (!other.equals(place) && !below) {
        assertThat(decoded(bytes)).contains(kept);
      }
    }
    assertThat(decoded(original.toBytes())).contains(old);
  }

  /** The document's texts behind one another, as a reader would see them. */
  private String decoded(byte[] bytes) throws MalformedJsonException {
    var texts = new StringBuilder();
    var places = new ArrayList<List<Integer>>();
    Json read = codec.parse(bytes);
    collect(read, List.of(), places);
    for (List<Integer> place : places) {
      texts.append(((Json.Str) at(read, place)).text()).append('\n');
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

  private static void collect(Json json, List<Integer> place, List<List<Integer>> found) {
    if (json instanceof Json.Str) {
      found.add(place);
    } else if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        collect(object.value(i), child(place, i), found);
      }
    } else if (json instanceof Json.Arr items) {
      for (int i = 0; i < items.size(); i++) {
        collect(items.get(i), child(place, i), found);
      }
    }
  }

  private static Json at(Json json, List<Integer> place) {
    for (int index : place) {
      json = inside(json, index);
    }
    return json;
  }

  private static Json inside(Json json, int index) {
    return json instanceof Json.Obj object ? object.value(index) : ((Json.Arr) json).get(index);
  }

  private static Json replaced(Json json, List<Integer> place, Json by) {
    if (place.isEmpty()) {
      return by;
    }
    int index = place.getFirst();
    Json changed = replaced(inside(json, index), place.subList(1, place.size()), by);
    return json instanceof Json.Obj object
        ? object.with(object.name(index), changed)
        : ((Json.Arr) json).with(index, changed);
  }

  /** Without the member, or with an empty array where the text is an item of one. */
  private static Json gone(Json json, List<Integer> place) {
    List<Integer> parent = parent(place);
    Json holder = at(json, parent);
    return replaced(
        json,
        parent,
        holder instanceof Json.Obj object
            ? object.without(object.name(place.getLast()))
            : Json.array());
  }

  private static List<Integer> parent(List<Integer> place) {
    return place.subList(0, place.size() - 1);
  }

  private static boolean startsWith(List<Integer> place, List<Integer> prefix) {
    return place.size() >= prefix.size() && place.subList(0, prefix.size()).equals(prefix);
  }

  private static List<Integer> child(List<Integer> place, int index) {
    var longer = new ArrayList<>(place);
    longer.add(index);
    return longer;
  }
}

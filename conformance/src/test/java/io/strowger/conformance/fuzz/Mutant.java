package io.strowger.conformance.fuzz;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a document from a seed by a few changes, which the bytes of the fuzzer decide. So the
 * fuzzer needs only a few bytes, not thousands, for a change deep inside a valid document.
 */
final class Mutant {
  private static final int MAX_CHANGES = 6;
  private static final int MAX_COPIES = 300;

  private static final List<Json> UNUSUAL_VALUES =
      List.of(
          Json.NULL,
          Json.TRUE,
          Json.FALSE,
          Json.of(0),
          Json.of(-1),
          Json.of(1),
          Json.of(Long.MAX_VALUE),
          Json.of(new BigDecimal("0.5")),
          Json.of(new BigDecimal("2.0000000000000000000000000001")),
          Json.of(""),
          Json.of(" "),
          Json.of("\u0000"),
          Json.of("\uD800"),
          Json.of("~1/~0"),
          Json.of("x".repeat(65)),
          Json.of("\uD83D\uDE00".repeat(257)),
          Json.of("x".repeat(1025)),
          Json.array(),
          Json.array(Json.NULL),
          Json.array(Json.array()),
          Json.Obj.EMPTY,
          Json.object().put("", "").build(),
          Json.object().put("type", "other").build());

  private final Seeds seeds;
  private final FuzzChoices choices;

  private Mutant(Seeds seeds, FuzzChoices choices) {
    this.seeds = seeds;
    this.choices = choices;
  }

  static Json.Obj of(Seeds seeds, byte[] input) {
    return new Mutant(seeds, new FuzzChoices(input)).make();
  }

  private Json.Obj make() {
    Json.Obj document = pick(List.copyOf(seeds.documents().values()));
    int changes = choices.below(MAX_CHANGES);
    for (int i = 0; i <= changes && !choices.isEmpty(); i++) {
      document = changeWithin(document);
    }
    return document;
  }

  private <T> T pick(List<T> from) {
    return from.get(choices.below(from.size()));
  }

  /** Returns the value with a change in itself or anywhere below it. */
  private Json changed(String name, Json json) {
    boolean deeper = choices.below(4) > 0;
    if (deeper && json instanceof Json.Obj object && object.size() > 0) {
      return changeWithin(object);
    }
    if (deeper && json instanceof Json.Arr items && !items.isEmpty()) {
      return changeWithin(items);
    }
    return replacement(name, json);
  }

  private Json.Obj changeWithin(Json.Obj object) {
    int kind = object.size() == 0 ? 0 : choices.below(8);
    if (kind == 0) {
      String name = pick(seeds.names());
      return object.with(name, replacement(name, Json.NULL));
    }
    int at = choices.below(object.size());
    String name = object.name(at);
    if (kind == 1) {
      return object.without(name);
    }
    return object.with(name, changed(name, object.value(at)));
  }

  private Json.Arr changeWithin(Json.Arr items) {
    int at = choices.below(items.size());
    int kind = choices.below(8);
    if (kind > 1) {
      return items.with(at, changed("", items.get(at)));
    }
    var more = new ArrayList<Json>(items);
    Json item = more.remove(at);
    for (int copies = kind == 0 ? 0 : choices.below(MAX_COPIES); copies > 0; copies--) {
      more.add(item);
    }
    return Json.array(more);
  }

  private Json replacement(String name, Json json) {
    return switch (choices.below(6)) {
      case 0 -> pick(UNUSUAL_VALUES);
      case 1 -> Json.of(choices.text());
      case 2 -> number();
      case 3 -> Json.array(json, json);
      case 4 -> Json.object().put(pick(seeds.names()), json).build();
      default -> knownValue(name);
    };
  }

  /** Returns a value that a member of this name has in a seed, or of any name if there is none. */
  private Json knownValue(String name) {
    List<Json> values = seeds.valuesOf(name);
    return pick(values.isEmpty() ? seeds.valuesOf(pick(seeds.names())) : values);
  }

  private Json number() {
    return switch (choices.below(4)) {
      case 0 -> Json.of(choices.below(256));
      case 1 -> Json.of(choices.below(65_536) - 32_768L);
      case 2 -> Json.of(BigDecimal.valueOf(choices.below(65_536), choices.below(16)));
      default -> Json.of((long) choices.below(65_536) << choices.below(48));
    };
  }
}

package io.strowger.core.preset;

import io.strowger.core.resource.ResourceWords;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;

/** Makes presets and merges requests with them, for tests. */
final class TestPresets {
  private TestPresets() {}

  static Json.Obj json(String text) {
    return ResourceWords.json(text);
  }

  static Preset preset(String config) {
    return new Preset("writer", json(config), null);
  }

  static Preset presetWithPrompt(String systemPrompt) {
    return new Preset("writer", Json.Obj.EMPTY, systemPrompt);
  }

  static MergedRequest merge(Preset preset, String request, Dialect dialect) {
    return PresetMerge.merge(preset, json(request), dialect);
  }

  /**
   * Returns where a problem at this place of the merged request is reported: a pointer into the
   * caller's request, or the preset as its origin.
   */
  static String reportedPlace(MergedRequest mergedRequest, String pointer) {
    JsonPointer at = JsonPointer.ROOT;
    for (String name : pointer.substring(1).split("/")) {
      at = at.child(name.replace("~1", "/"));
    }
    Problem problem = mergedRequest.inCallerTerms(new Problem(at, "must be", "x"));
    return problem.origin() == null ? problem.pointer().toString() : problem.origin();
  }
}

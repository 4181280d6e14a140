package io.strowger.core.decode;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the top-level members of a chat request that are objects or lists. */
final class StructuresDecoder {
  private static final JsonPointer ROOT = JsonPointer.ROOT;
  private static final int NAME_CHARS = 64;
  private static final int STOPS = 4;
  private static final int METADATA_PAIRS = 16;
  private static final int METADATA_KEY_CHARS = 64;
  private static final int METADATA_VALUE_CHARS = 512;
  private static final List<String> MODALITIES = List.of("text", "image", "audio");
  private static final List<String> TRACE_KEYS =
      List.of("trace_id", "trace_name", "span_name", "generation_name", "parent_span_id");

  private final Checks checks;

  StructuresDecoder(Checks checks) {
    this.checks = checks;
  }

  void logitBias(String name, Json value) {
    Json.Obj bias = checks.object(ROOT, name, value);
    for (int i = 0; bias != null && i < bias.size(); i++) {
      if (!(bias.value(i) instanceof Json.Num)) {
        checks.wrong(ROOT.child(name), bias.name(i), "must be a number", bias.value(i));
      }
    }
  }

  void stop(String name, Json value) {
    if (value instanceof Json.Str) {
      return;
    }
    if (!(value instanceof Json.Arr stops)) {
      checks.wrong(ROOT, name, "must be a string or an array of at most 4 strings", value);
      return;
    }
    if (stops.size() > STOPS) {
      checks.wrong(ROOT, name, "must have at most 4 items", value);
    }
    for (int i = 0; i < stops.size(); i++) {
      if (!(stops.get(i) instanceof Json.Str)) {
        checks.problems().add(ROOT.child(name).child(i), "must be a string", stops.get(i));
      }
    }
  }

  /** Checks the format and says which parameter an endpoint needs for it. */
  long responseFormat(String name, Json value) {
    Json.Obj format = checks.object(ROOT, name, value);
    if (format == null) {
      return 0;
    }
    JsonPointer at = ROOT.child(name);
    Json type = format.get("type");
    if (type == null) {
      checks.missing(at, "type");
      return 0;
    }
    switch (type instanceof Json.Str str ? str.text() : "") {
      case "text":
        return 0;
      case "json_object", "python":
        return Parameter.RESPONSE_FORMAT.bit();
      case "grammar":
        required(at, format, "grammar", true);
        return Parameter.RESPONSE_FORMAT.bit();
      case "json_schema":
        jsonSchema(at, format);
        return Parameter.STRUCTURED_OUTPUTS.bit();
      default:
        checks.wrong(
            at, "type", "must be one of text, json_object, json_schema, grammar, python", type);
        return 0;
    }
  }

  private void jsonSchema(JsonPointer at, Json.Obj format) {
    Json given = required(at, format, "json_schema", false);
    Json.Obj holder = given == null ? null : checks.object(at, "json_schema", given);
    if (holder == null) {
      return;
    }
    JsonPointer inner = at.child("json_schema");
    Json name = required(inner, holder, "name", false);
    if (name != null) {
      checks.text(inner, "name", name, 1, NAME_CHARS);
    }
    for (int i = 0; i < holder.size(); i++) {
      Json value = holder.value(i);
      switch (holder.name(i)) {
        case "description" -> checks.string(inner, "description", value);
        case "schema" -> checks.object(inner, "schema", value);
        case "strict" -> {
          if (!(value instanceof Json.Null)) {
            checks.bool(inner, "strict", value);
          }
        }
        default -> {
          // unknown members are passed on
        }
      }
    }
  }

  private @Nullable Json required(JsonPointer at, Json.Obj holder, String name, boolean string) {
    Json value = holder.get(name);
    if (value == null) {
      checks.missing(at, name);
    } else if (string) {
      checks.string(at, name, value);
    }
    return value;
  }

  void prediction(String name, Json value) {
    Json.Obj prediction = checks.object(ROOT, name, value);
    if (prediction == null) {
      return;
    }
    JsonPointer at = ROOT.child(name);
    Json type = required(at, prediction, "type", false);
    if (type != null) {
      checks.word(at, "type", type, List.of("content"));
    }
    if (prediction.has("content")) {
      new PartDecoder(checks).content(at, prediction.get("content"), true);
    } else {
      checks.missing(at, "content");
    }
  }

  void modalities(String name, Json value) {
    Json.Arr items = checks.array(ROOT, name, value);
    for (int i = 0; items != null && i < items.size(); i++) {
      if (!(items.get(i) instanceof Json.Str str && MODALITIES.contains(str.text()))) {
        checks
            .problems()
            .add(ROOT.child(name).child(i), "must be one of text, image, audio", items.get(i));
      }
    }
  }

  void imageConfig(String name, Json value) {
    Json.Obj config = checks.object(ROOT, name, value);
    for (int i = 0; config != null && i < config.size(); i++) {
      switch (config.value(i)) {
        case Json.Str s -> {}
        case Json.Num n -> {}
        case Json.Arr a -> {}
        case Json other ->
            checks.wrong(
                ROOT.child(name), config.name(i), "must be a string, number or array", other);
      }
    }
  }

  void metadata(String name, Json value) {
    Json.Obj metadata = checks.object(ROOT, name, value);
    if (metadata == null) {
      return;
    }
    if (metadata.size() > METADATA_PAIRS) {
      checks.problems().add(ROOT.child(name), "must have at most 16 pairs", "" + metadata.size());
    }
    for (int i = 0; i < metadata.size(); i++) {
      String key = metadata.name(i);
      if (!Checks.fits(key, METADATA_KEY_CHARS)) {
        checks.wrong(ROOT, name, "must have keys of at most 64 characters", Json.of(key));
      }
      if (!(metadata.value(i) instanceof Json.Str str && Checks.fits(str, METADATA_VALUE_CHARS))) {
        checks.wrong(
            ROOT.child(name), key, "must be a string of at most 512 characters", metadata.value(i));
      }
    }
  }

  void trace(String name, Json value) {
    Json.Obj trace = checks.object(ROOT, name, value);
    for (int i = 0; trace != null && i < trace.size(); i++) {
      if (TRACE_KEYS.contains(trace.name(i))) {
        checks.string(ROOT.child(name), trace.name(i), trace.value(i));
      }
    }
  }

  /** An object in which one member is a boolean. */
  void flags(String name, Json value, String flag) {
    Json.Obj object = checks.object(ROOT, name, value);
    Json given = object == null ? null : object.get(flag);
    if (given != null) {
      checks.bool(ROOT.child(name), flag, given);
    }
  }

  /** When the gateway's own tools are to stop; checked although there are none yet. */
  void stopConditions(String name, Json value) {
    Json.Arr conditions = checks.array(ROOT, name, value);
    if (conditions == null) {
      return;
    }
    if (conditions.isEmpty()) {
      checks.wrong(ROOT, name, "must have at least 1 item", value);
    }
    for (int i = 0; i < conditions.size(); i++) {
      JsonPointer at = ROOT.child(name).child(i);
      if (conditions.get(i) instanceof Json.Obj condition) {
        stopCondition(at, condition);
      } else {
        checks.problems().add(at, "must be an object", conditions.get(i));
      }
    }
  }

  private void stopCondition(JsonPointer at, Json.Obj condition) {
    Json type = required(at, condition, "type", false);
    if (type == null) {
      return;
    }
    switch (type instanceof Json.Str str ? str.text() : "") {
      case "step_count_is" -> atLeast(at, condition, "step_count", 1);
      case "max_tokens_used" -> atLeast(at, condition, "max_tokens", 0);
      case "has_tool_call" -> notEmpty(at, condition, "tool_name");
      case "finish_reason_is" -> notEmpty(at, condition, "reason");
      case "max_cost" -> {
        Json cost = required(at, condition, "max_cost_in_dollars", false);
        if (cost != null) {
          checks.number(at, "max_cost_in_dollars", cost);
        }
      }
      default ->
          checks.wrong(
              at,
              "type",
              "must be one of step_count_is, has_tool_call, max_tokens_used, max_cost,"
                  + " finish_reason_is",
              type);
    }
  }

  private void atLeast(JsonPointer at, Json.Obj condition, String name, long min) {
    Json value = required(at, condition, name, false);
    if (value != null) {
      checks.whole(at, name, value, min, Long.MAX_VALUE, min);
    }
  }

  private void notEmpty(JsonPointer at, Json.Obj condition, String name) {
    Json value = required(at, condition, name, false);
    if (value != null) {
      checks.text(at, name, value, 1, Integer.MAX_VALUE);
    }
  }
}

package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Edits the texts in JSON. The result is JSON of the same shape: a text becomes a text, a number
 * that changes becomes a text, a member whose name changes gets another name. What does not change
 * stays the same instance and keeps its bytes.
 */
final class JsonTextEditor {
  /** Members that are the structure of a document rather than its text. */
  private static final Set<String> STRUCTURE =
      Set.of(
          "type",
          "id",
          "role",
          "status",
          "call_id",
          "tool_call_id",
          "tool_use_id",
          "item_id",
          "file_id",
          "container_id",
          "media_type",
          "mime_type",
          "format",
          "signature",
          "encrypted_content");

  private static final String BASE64 = ";base64";

  /** Members of a declaration that identify a tool, model, parameter or definition. */
  private static final Set<String> IDENTIFIERS = Set.of("name", "model", "$ref", "$id", "$anchor");

  /** Members of a schema that hold values rather than schemas. */
  private static final Set<String> VALUE_MEMBERS =
      Set.of("const", "default", "enum", "example", "examples");

  private static final Set<String> EFFORTS =
      Set.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

  /**
   * Members of settings and declarations that take protocol keywords, with those keywords. Editing
   * a keyword would make the request invalid; any other value of such a member is a text. {@code
   * TextualMembersTest} compares this list with the decoders' tables.
   */
  private static final Map<String, Set<String>> KEYWORDS_BY_MEMBER =
      Map.ofEntries(
          Map.entry("context", Set.of("auto", "all_turns", "current_turn")),
          Map.entry("display", Set.of("summarized", "omitted")),
          Map.entry("effort", EFFORTS),
          Map.entry(
              "engine",
              Set.of("auto", "native", "router", "exa", "parallel", "firecrawl", "perplexity")),
          Map.entry(
              "include",
              Set.of(
                  "reasoning.encrypted_content",
                  "file_search_call.results",
                  "message.input_image.image_url",
                  "computer_call_output.output.image_url",
                  "code_interpreter_call.outputs")),
          Map.entry("keep", Set.of("all")),
          Map.entry("modalities", Set.of("text", "image", "audio")),
          Map.entry(
              "mode",
              Set.of(
                  "explicit",
                  "standard",
                  "pro",
                  "instant",
                  "fast",
                  "auto",
                  "deep-lite",
                  "deep",
                  "deep-reasoning",
                  "turbo",
                  "basic",
                  "advanced")),
          Map.entry("reasoning_effort", EFFORTS),
          Map.entry("search_context_size", EFFORTS),
          Map.entry(
              "service_tier",
              Set.of("auto", "default", "fast", "flex", "priority", "scale", "standard_only")),
          Map.entry("speed", Set.of("fast", "standard")),
          Map.entry("summary", Set.of("auto", "concise", "detailed")),
          Map.entry("syntax", Set.of("lark", "regex")),
          Map.entry("truncation", Set.of("auto", "disabled")),
          Map.entry("ttl", Set.of("5m", "30m", "1h", "24h")),
          Map.entry("verbosity", EFFORTS));

  /** Members whose items are names of tools or models, or say who may call one. */
  private static final Set<String> LISTS_OF_NAMES =
      Set.of(
          "required",
          "exclude_tools",
          "clear_tool_inputs",
          "allowed_callers",
          "analysis_models",
          "inherited_function_names");

  private final TextEditor editor;

  JsonTextEditor(TextEditor editor) {
    this.editor = editor;
  }

  /** Edits a text that may be an address; a base64 data URL stays as it is. */
  Json.Str editText(Json.Str text, TextKind kind) {
    return text.startsWithIgnoreCase("data:") && isEncoded(text.text())
        ? text
        : editModelText(text, kind);
  }

  /** Returns whether a URL holds base64 and nothing else; a text may merely begin like one. */
  private static boolean isEncoded(String url) {
    int comma = url.indexOf(',');
    return comma > 0
        && url.startsWith(BASE64, comma - BASE64.length())
        && url.chars().skip(comma + 1L).allMatch(JsonTextEditor::isBase64);
  }

  private static boolean isBase64(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || "+/-_=\r\n".indexOf(c) >= 0;
  }

  /** Edits a text that a model reads, even one that looks like a data URL. */
  Json.Str editModelText(Json.Str text, TextKind kind) {
    if (!editor.edits(kind)) {
      return text;
    }
    String edited = editor.edit(text.text(), kind);
    return edited.equals(text.text()) ? text : Json.of(edited);
  }

  /** Edits adjacent texts, which are read as one; returns the same list when nothing changes. */
  List<String> editAdjacent(List<String> texts, TextKind kind) {
    return editor.editAdjacent(texts, kind);
  }

  boolean edits(TextKind kind) {
    return editor.edits(kind);
  }

  /** Edits a part of a message in the form of its dialect, except its structure. */
  Json editPart(Json json, TextKind kind) {
    return switch (json) {
      case Json.Obj obj -> editPart(obj, kind);
      case Json.Arr arr -> editItems(arr, item -> editPart(item, kind));
      case Json.Str str -> editText(str, kind);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  Json.Obj editPart(Json.Obj obj, TextKind kind) {
    Json[] newValues = null;
    boolean isBase64Data = "base64".equals(obj.text("type"));
    for (int i = 0; i < obj.size(); i++) {
      String name = obj.name(i);
      Json value = obj.value(i);
      boolean isStructure = value instanceof Json.Str && STRUCTURE.contains(name);
      if (isStructure || isBase64Data && name.equals("data")) {
        continue;
      }
      Json edited = editMember(name, value, kind);
      if (edited != value) {
        newValues = newValues == null ? new Json[obj.size()] : newValues;
        newValues[i] = edited;
      }
    }
    return newValues == null ? obj : withValues(newValues, obj);
  }

  /**
   * Returns the same members, some with other values.
   *
   * @param values the new values by index; null where a value stays
   */
  private static Json.Obj withValues(@Nullable Json[] values, Json.Obj obj) {
    Json.Obj.Builder builder = Json.object();
    for (int i = 0; i < obj.size(); i++) {
      Json value = values[i];
      builder.put(obj.name(i), value == null ? obj.value(i) : value);
    }
    return builder.build();
  }

  /** Edits a member. In arguments and template variables, no member name marks structure. */
  private Json editMember(String name, Json value, TextKind kind) {
    if (value instanceof Json.Str str && name.equals("arguments")) {
      return editArguments(str);
    }
    if (value instanceof Json.Obj obj && name.equals("input")) {
      return editFreeForm(obj, TextKind.TOOL_ARGUMENTS);
    }
    return value instanceof Json.Obj obj && name.equals("variables")
        ? editVariables(obj, kind)
        : editPart(value, kind);
  }

  private Json.Obj editVariables(Json.Obj obj, TextKind kind) {
    Json[] newValues = null;
    for (int i = 0; i < obj.size(); i++) {
      Json edited = editPart(obj.value(i), kind);
      if (edited != obj.value(i)) {
        newValues = newValues == null ? new Json[obj.size()] : newValues;
        newValues[i] = edited;
      }
    }
    return newValues == null ? obj : withValues(newValues, obj);
  }

  /** Edits free-form JSON: every text, every number and every member name. */
  Json editFreeForm(Json json, TextKind kind) {
    return switch (json) {
      case Json.Obj obj -> editFreeForm(obj, kind);
      case Json.Arr arr -> editItems(arr, item -> editFreeForm(item, kind));
      case Json.Str str -> editText(str, kind);
      case Json.Num num -> {
        String changed = editor.edits(kind) ? editor.edit(num.spelling(), kind) : num.spelling();
        yield changed.equals(num.spelling()) ? num : Json.of(changed);
      }
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  private Json.Obj editFreeForm(Json.Obj obj, TextKind kind) {
    Json.Obj.Builder builder = Json.object();
    boolean changed = false;
    Set<String> names = null;
    int number = 0;
    for (int i = 0; i < obj.size(); i++) {
      String name = editor.edits(kind) ? editor.edit(obj.name(i), kind) : obj.name(i);
      Json value = editFreeForm(obj.value(i), kind);
      changed |= value != obj.value(i) || !name.equals(obj.name(i));
      if (!name.equals(obj.name(i))) {
        names = names == null ? memberNames(obj) : names;
        number = freeNumber(name, names, Math.max(number, i) + 1);
        name = name + " " + number;
      }
      builder.put(name, value);
    }
    return changed ? builder.build() : obj;
  }

  /** Returns a number that keeps edited names distinct; equal names would become one member. */
  private static int freeNumber(String name, Set<String> names, int start) {
    int number = start;
    while (names.contains(name + " " + number)) {
      number++;
    }
    return number;
  }

  private static Set<String> memberNames(Json.Obj obj) {
    var names = new HashSet<String>();
    for (int i = 0; i < obj.size(); i++) {
      names.add(obj.name(i));
    }
    return names;
  }

  private Json.Arr editItems(Json.Arr arr, UnaryOperator<Json> edit) {
    List<Json> newItems = null;
    for (int i = 0; i < arr.size(); i++) {
      Json value = arr.get(i);
      Json edited = edit.apply(value);
      if (edited != value && newItems == null) {
        newItems = new ArrayList<>(arr.size());
        for (int j = 0; j < i; j++) {
          newItems.add(arr.get(j));
        }
      }
      if (newItems != null) {
        newItems.add(edited);
      }
    }
    return newItems == null ? arr : Json.array(newItems);
  }

  /**
   * Edits a declaration of a tool, a schema, or a member of the request, except the names of what
   * is called or referred to elsewhere.
   */
  Json editDeclaration(Json json, TextKind kind) {
    return switch (json) {
      case Json.Obj obj -> editDeclaration(obj, kind);
      case Json.Arr arr -> editItems(arr, item -> editDeclaration(item, kind));
      case Json.Str str -> editText(str, kind);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  Json.Obj editDeclaration(Json.Obj obj, TextKind kind) {
    Json[] newValues = null;
    for (int i = 0; i < obj.size(); i++) {
      Json value = obj.value(i);
      Json edited = editDeclaredMember(obj.name(i), value, kind);
      if (edited != value) {
        newValues = newValues == null ? new Json[obj.size()] : newValues;
        newValues[i] = edited;
      }
    }
    return newValues == null ? obj : withValues(newValues, obj);
  }

  private Json editDeclaredMember(String name, Json value, TextKind kind) {
    if (value instanceof Json.Str && (STRUCTURE.contains(name) || IDENTIFIERS.contains(name))
        || value instanceof Json.Arr && LISTS_OF_NAMES.contains(name)) {
      return value;
    }
    Set<String> keywords = KEYWORDS_BY_MEMBER.get(name);
    if (keywords != null && (value instanceof Json.Str || value instanceof Json.Arr)) {
      return editChoice(value, keywords, kind);
    }
    boolean holdsValues =
        VALUE_MEMBERS.contains(name) && !(value instanceof Json.Obj obj && obj.has("type"));
    return holdsValues ? editFreeForm(value, kind) : editDeclaration(value, kind);
  }

  /** Edits a member of the request that is not part of the conversation. */
  Json editSetting(String name, Json member) {
    Set<String> keywords = KEYWORDS_BY_MEMBER.get(name);
    return keywords == null
        ? editDeclaration(member, TextKind.SETTING)
        : editChoice(member, keywords, TextKind.SETTING);
  }

  /** Edits the value of a member that takes protocol keywords, except those keywords. */
  private Json editChoice(Json value, Set<String> keywords, TextKind kind) {
    return switch (value) {
      case Json.Arr list -> editItems(list, item -> editChoice(item, keywords, kind));
      case Json.Str word -> keywords.contains(word.text()) ? word : editText(word, kind);
      case Json.Obj obj -> editDeclaration(obj, kind);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  /** Edits arguments in either form; a text that is not valid JSON is edited as one text. */
  Arguments editArguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str jsonText) -> {
        Json.Str edited = editArguments(jsonText);
        yield edited == jsonText ? arguments : new Arguments.Text(edited);
      }
      case Arguments.Value(Json value) -> {
        Json edited = editArguments(value);
        yield edited == value ? arguments : new Arguments.Value(edited);
      }
    };
  }

  private Json.Str editArguments(Json.Str jsonText) {
    if (!editor.edits(TextKind.TOOL_ARGUMENTS)) {
      return jsonText;
    }
    Json parsedArguments = Json.parseOrNull(jsonText.text());
    if (parsedArguments == null) {
      return editText(jsonText, TextKind.TOOL_ARGUMENTS);
    }
    Json edited = editFreeForm(parsedArguments, TextKind.TOOL_ARGUMENTS);
    String json = edited == parsedArguments ? jsonText.text() : write(edited);
    String editedText = editor.editArguments(json);
    return editedText.equals(jsonText.text()) ? jsonText : Json.of(editedText);
  }

  private Json editArguments(Json value) {
    if (!editor.edits(TextKind.TOOL_ARGUMENTS)) {
      return value;
    }
    Json edited = editFreeForm(value, TextKind.TOOL_ARGUMENTS);
    String json = write(edited);
    String editedText = editor.editArguments(json);
    if (editedText.equals(json)) {
      return edited;
    }
    Json parsedArguments = Json.parseOrNull(editedText);
    return parsedArguments == null
        ? Json.object().put("arguments", editedText).build()
        : parsedArguments;
  }

  private static String write(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }
}

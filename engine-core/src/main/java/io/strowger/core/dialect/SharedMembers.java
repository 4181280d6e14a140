package io.strowger.core.dialect;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.array;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.map;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.numberAtLeast;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for members that several dialects share. */
public final class SharedMembers {
  private static final int FUNCTION_NAME_CHARS = 64;
  private static final int METADATA_PAIRS = 16;
  private static final int METADATA_KEY_CHARS = 64;
  private static final Rule<String> METADATA_VALUE = textUpTo(512);
  private static final Pattern BRACKET = Pattern.compile("[\\[\\]]");

  /**
   * {@code cache_control} of a request, a part, a block or a tool, which controls an upstream's
   * prompt cache. Chat fact sheet, sections 2 and 3.
   */
  public static final Rule<Json.Obj> CACHE_CONTROL =
      members()
          .required("type", wordAmong("ephemeral"))
          .optional("ttl", wordAmong("5m", "1h"))
          .asJson();

  /**
   * {@code prompt_cache_breakpoint} of a part, {@code prompt_cache_options} of a request. Chat fact
   * sheet, sections 2 and 3.
   */
  public static final Rule<Json.Obj> EXPLICIT_CACHE =
      members().required("mode", wordAmong("explicit")).optional("ttl", string().orNull()).asJson();

  /**
   * The name of a function a caller declares. Chat fact sheet, section 5. Checked in a loop rather
   * than with a pattern, since agents declare dozens of functions in every request.
   */
  public static final Rule<String> FUNCTION_NAME =
      (value, context) -> {
        if (value instanceof Json.Str str
            && str.utf8Bound() <= FUNCTION_NAME_CHARS * 6
            && isFunctionName(str.text())) {
          return str.text();
        }
        context.reject("must be 1 to 64 of A-Z a-z 0-9 _ -", value);
        return null;
      };

  /**
   * {@code image_config}: names and values vary by model. Contract: "Chat request body"; responses
   * fact sheet.
   */
  public static final Rule<Json.Obj> IMAGE_CONFIG =
      map(
          ByJsonType.<Object>of("must be a string, number or array")
              .string(string())
              .number(number())
              .array(array()));

  /** {@code metadata}: strings by name. Contract: "Limits". */
  public static final Rule<Json.Obj> METADATA = (value, context) -> metadata(value, context, false);

  /** {@code metadata} without brackets in its names. Responses fact sheet. */
  public static final Rule<Json.Obj> METADATA_WITHOUT_BRACKETS =
      (value, context) -> metadata(value, context, true);

  /**
   * {@code stream} of a request whose answer can only be one whole document, never a stream: absent
   * or false.
   */
  public static final Rule<Json.Bool> NOT_STREAMED = SharedMembers::rejectStreaming;

  private static final Union<Json.Obj> STOP_CONDITION =
      Union.<Json.Obj>on("type")
          .when("step_count_is", condition("step_count", integerAtLeast(1)))
          .when("has_tool_call", condition("tool_name", name()))
          .when("max_tokens_used", condition("max_tokens", integerAtLeast(0)))
          .when("max_cost", condition("max_cost_in_dollars", numberAtLeast(0)))
          .when("finish_reason_is", condition("reason", name()));

  /**
   * {@code stop_server_tools_when}. A single condition may stand without an array, since the
   * contract's table says object. Contract: "Chat request body"; chat fact sheet, section 2;
   * plugins fact sheet, section 12.
   */
  public static final Rule<Json> STOP_SERVER_TOOLS_WHEN =
      ByJsonType.<Json>of("must be an array")
          .array(items(STOP_CONDITION, 1, Integer.MAX_VALUE))
          .object(STOP_CONDITION);

  /**
   * {@code trace}: members with known names are strings, other members may have any value.
   * Contract: "Messages".
   */
  public static final Rule<Json.Obj> TRACE =
      members()
          .optional("trace_id", string())
          .optional("trace_name", string())
          .optional("span_name", string())
          .optional("generation_name", string())
          .optional("parent_span_id", string())
          .asJson();

  /**
   * {@code user_location} of a vendor's search: the person's approximate place, with a required
   * type. Messages fact sheet, section 2.
   */
  public static final Rule<Json.Obj> VENDOR_USER_LOCATION =
      locationMembers().required("type", wordAmong("approximate")).asJson();

  /**
   * {@code user_location} of the gateway's own search, where the only type may be omitted. Plugins
   * fact sheet, section 5.
   */
  static final Rule<Json.Obj> USER_LOCATION =
      locationMembers().optional("type", wordAmong("approximate")).asJson();

  private SharedMembers() {}

  private static Rule<Json.Obj> condition(String member, Rule<?> rule) {
    return members().required(member, rule).asJson();
  }

  private static MemberTable.JsonBuilder locationMembers() {
    return members()
        .optional("city", string().orNull())
        .optional("region", string().orNull())
        .optional("country", string().orNull())
        .optional("timezone", string().orNull());
  }

  private static boolean isFunctionName(String text) {
    if (text.isEmpty() || text.length() > FUNCTION_NAME_CHARS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isNameCharacter(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNameCharacter(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '_'
        || c == '-';
  }

  private static Json.@Nullable Bool rejectStreaming(Json value, DecodingContext context) {
    Json.Bool stream = Rules.bool().read(value, context);
    if (stream != null && stream.value()) {
      context.reject("must be false: the answer comes whole", value);
      return null;
    }
    return stream;
  }

  private static Json.@Nullable Obj metadata(
      Json value, DecodingContext context, boolean rejectBrackets) {
    Json.Obj pairs = object().read(value, context);
    if (pairs == null) {
      return null;
    }
    if (pairs.size() > METADATA_PAIRS) {
      context.reject("must have at most 16 pairs", Json.of(pairs.size()));
    }
    for (int i = 0; i < pairs.size(); i++) {
      String key = pairs.name(i);
      if (!Rules.fits(key, METADATA_KEY_CHARS)) {
        context.reject("must have keys of at most 64 characters", Json.of(key));
      } else if (rejectBrackets && BRACKET.matcher(key).find()) {
        context.reject("must have keys without [ and ]", Json.of(key));
      }
      context.enter(key);
      METADATA_VALUE.read(pairs.value(i), context);
      context.leave();
    }
    return pairs;
  }

  /**
   * Returns the rule for content that is a string or an array of parts. A string becomes one text
   * without source, since the JSON is the whole content, not a part.
   *
   * @param allowed the problem reported for any other JSON type, such as {@code must be a string or
   *     an array of content parts}
   */
  public static Rule<List<Part>> content(String allowed, Rule<Part> part) {
    return ByJsonType.<List<Part>>of(allowed)
        .string((value, context) -> List.of(new Part.Text((Json.Str) value, Json.Obj.EMPTY, null)))
        .array(list(part));
  }

  /** Returns the form of content that {@link #content} accepted, or of a null in its place. */
  public static ContentForm contentForm(@Nullable Json content) {
    return switch (content) {
      case null -> ContentForm.ABSENT;
      case Json.Str s -> ContentForm.STRING;
      case Json.Null n -> ContentForm.NULL;
      case Json other -> ContentForm.LIST;
    };
  }

  /**
   * Returns the members of an object that have no typed form, in the order of the object; empty
   * when there are none, which is usual.
   *
   * @param typedNames the names of the members with a typed form; a short list
   */
  public static Json.Obj extras(Json.Obj object, String... typedNames) {
    int extraCount = object.size();
    for (String name : typedNames) {
      extraCount -= object.has(name) ? 1 : 0;
    }
    if (extraCount == 0) {
      return Json.Obj.EMPTY;
    }
    Json.Obj.Builder extras = Json.object();
    for (int i = 0; i < object.size(); i++) {
      if (!isAmong(typedNames, object.name(i))) {
        extras.put(object.name(i), object.value(i));
      }
    }
    return extras.build();
  }

  private static boolean isAmong(String[] names, String name) {
    for (String candidate : names) {
      if (candidate.equals(name)) {
        return true;
      }
    }
    return false;
  }
}

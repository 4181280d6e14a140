package io.strowger.core.dialect;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of an image, a video or a document: an absolute URL, or a data URL with data. Chat
 * fact sheet, section 3; messages fact sheet, section 2. Only the beginning of a long address is
 * checked.
 */
public final class MediaAddress {
  /** The rule for such an address. */
  public static final Rule<Json.Str> RULE =
      (value, context) -> {
        if (!(value instanceof Json.Str url)) {
          context.reject("must be a string", value);
          return null;
        }
        String problem = problem(url);
        if (problem != null) {
          context.reject(problem, value);
          return null;
        }
        if (isJpg(url)) {
          context.noteMediaTypeAlias();
        }
        return url;
      };

  private static final String DATA = "data:";
  private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0,31}:\\S.*+");
  private static final String ALIAS_TYPE = "image/jpg";
  private static final String REGISTERED_TYPE = "image/jpeg";
  private static final String ALIAS_PREFIX = DATA + ALIAS_TYPE;

  /** Members of messages, items and parts that may hold an image. */
  private static final List<String> IMAGE_MEMBERS =
      List.of("content", "output", "source", "image_url", "url", "media_type");

  /** Members that hold an address as a string; a string in the others is text of the caller. */
  private static final List<String> ADDRESS_MEMBERS = List.of("image_url", "url");

  /** Characters checked: room for a media type, its parameters and an encoding. */
  private static final int HEAD_CHARS = 1024;

  private MediaAddress() {}

  private static @Nullable String problem(Json.Str url) {
    String beginning = url.beginning(HEAD_CHARS);
    if (!url.startsWithIgnoreCase(DATA)) {
      return ABSOLUTE.matcher(beginning.lines().findFirst().orElse("")).matches()
          ? null
          : "must be a URL, such as https://host/path or data:image/png;base64,...";
    }
    int comma = beginning.indexOf(',');
    if (comma < 0) {
      return "must have a comma before its data";
    }
    return beginning.substring(comma + 1).isBlank() && url.utf8Bound() <= HEAD_CHARS
        ? "must have data after the comma"
        : null;
  }

  private static boolean isJpg(Json.Str url) {
    return url.startsWithIgnoreCase(ALIAS_PREFIX + ";")
        || url.startsWithIgnoreCase(ALIAS_PREFIX + ",");
  }

  /**
   * Returns whether a media type is the unregistered {@code image/jpg}. If so, notes in the context
   * that the body has such a type.
   */
  public static boolean noteIfAlias(Json type, DecodingContext context) {
    boolean isAlias = type instanceof Json.Str name && name.is(ALIAS_TYPE);
    if (isAlias) {
      context.noteMediaTypeAlias();
    }
    return isAlias;
  }

  /**
   * Returns a body of any dialect with the media type {@code image/jpg} of its images replaced by
   * the registered name {@code image/jpeg}, since some upstreams do not accept {@code image/jpg}.
   */
  public static Json.Obj withRegisteredTypes(Json.Obj body) {
    Json.Obj result = body;
    for (String conversation : List.of("messages", "input")) {
      if (body.get(conversation) instanceof Json.Arr messages) {
        result = result.with(conversation, withRegisteredTypes(messages));
      }
    }
    return result;
  }

  private static Json withRegisteredTypes(Json value) {
    return switch (value) {
      case Json.Arr items ->
          Json.array(items.stream().map(MediaAddress::withRegisteredTypes).toList());
      case Json.Obj item -> withReplacedTypes(item);
      case Json.Str text -> text;
      case Json.Num number -> number;
      case Json.Bool bool -> bool;
      case Json.Null absent -> absent;
    };
  }

  /**
   * Returns the object with the media types of its images replaced; the same instance when none has
   * to be.
   */
  private static Json.Obj withReplacedTypes(Json.Obj item) {
    Json.Obj result = item;
    for (String name : IMAGE_MEMBERS) {
      Json member = item.get(name);
      if (member instanceof Json.Arr || name.equals("source") && member instanceof Json.Obj) {
        Json replacement = withRegisteredTypes(member);
        result = replacement.equals(member) ? result : result.with(name, replacement);
      } else if (name.equals("image_url") && member instanceof Json.Obj image) {
        Json.Obj replacement = withReplacedTypes(image);
        result = replacement == image ? result : result.with(name, replacement);
      } else if (member instanceof Json.Str url && ADDRESS_MEMBERS.contains(name) && isJpg(url)) {
        result =
            result.with(
                name,
                Json.of("data:" + REGISTERED_TYPE + url.text().substring(ALIAS_PREFIX.length())));
      } else if (member instanceof Json.Str type
          && name.equals("media_type")
          && type.is(ALIAS_TYPE)) {
        result = result.with(name, Json.of(REGISTERED_TYPE));
      }
    }
    return result;
  }
}

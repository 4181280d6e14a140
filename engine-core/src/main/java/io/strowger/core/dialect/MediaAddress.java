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
      (given, context) -> {
        if (!(given instanceof Json.Str url)) {
          context.reject("must be a string", given);
          return null;
        }
        String wrong = wrong(url);
        if (wrong != null) {
          context.reject(wrong, given);
          return null;
        }
        if (isJpg(url)) {
          context.noteMediaTypeAlias();
        }
        return url;
      };

  private static final String DATA = "data:";
  private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0,31}:\\S.*+");
  private static final String MISNAMED = "image/jpg";
  private static final String REGISTERED = "image/jpeg";
  private static final String JPG = DATA + MISNAMED;

  /** Members of messages, items and parts that may hold an image. */
  private static final List<String> IMAGE_MEMBERS =
      List.of("content", "output", "source", "image_url", "url", "media_type");

  /** Characters checked: room for a media type, its parameters and an encoding. */
  private static final int HEAD_CHARS = 1024;

  private MediaAddress() {}

  private static @Nullable String wrong(Json.Str url) {
    String beginning = url.beginning(HEAD_CHARS);
    if (!url.startsWith(DATA)) {
      return ABSOLUTE.matcher(beginning.lines().findFirst().orElse("")).matches()
          ? null
          : "must be a URL, such as https://host/path or data:image/png;base64,...";
    }
    int comma = beginning.indexOf(',');
    if (comma < 0) {
      return "must have a comma before its data";
    }
    return beginning.substring(comma + 1).isBlank() && url.utf8Bound() <= HEAD_CHARS
        ? "must hold data behind the comma"
        : null;
  }

  private static boolean isJpg(Json.Str url) {
    return url.startsWith(JPG + ";") || url.startsWith(JPG + ",");
  }

  /**
   * Returns whether a media type is the unregistered {@code image/jpg}; then notes in the context
   * that the body has such a type.
   */
  public static boolean isMisnamed(Json type, DecodingContext context) {
    boolean misnamed = type instanceof Json.Str name && name.is(MISNAMED);
    if (misnamed) {
      context.noteMediaTypeAlias();
    }
    return misnamed;
  }

  /**
   * Returns a body of any dialect with the media type {@code image/jpg} of its images replaced by
   * the registered name {@code image/jpeg}, since some upstreams do not accept {@code image/jpg}.
   */
  public static Json.Obj renamed(Json.Obj body) {
    Json.Obj renamed = body;
    for (String conversation : List.of("messages", "input")) {
      if (body.get(conversation) instanceof Json.Arr said) {
        renamed = renamed.with(conversation, renamed(said));
      }
    }
    return renamed;
  }

  private static Json renamed(Json value) {
    return switch (value) {
      case Json.Arr items -> Json.array(items.stream().map(MediaAddress::renamed).toList());
      case Json.Obj item -> part(item);
      case Json.Str text -> text;
      case Json.Num number -> number;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  /**
   * Returns the object with the media types of its images replaced; the same instance when none has
   * to be.
   */
  private static Json.Obj part(Json.Obj item) {
    Json.Obj renamed = item;
    for (String name : IMAGE_MEMBERS) {
      Json held = item.get(name);
      if (held instanceof Json.Arr || name.equals("source") && held instanceof Json.Obj) {
        Json made = renamed(held);
        renamed = made.equals(held) ? renamed : renamed.with(name, made);
      } else if (name.equals("image_url") && held instanceof Json.Obj image) {
        Json.Obj made = part(image);
        renamed = made == image ? renamed : renamed.with(name, made);
      } else if (held instanceof Json.Str url && !name.equals("media_type") && isJpg(url)) {
        renamed =
            renamed.with(name, Json.of("data:" + REGISTERED + url.text().substring(JPG.length())));
      } else if (held instanceof Json.Str type && name.equals("media_type") && type.is(MISNAMED)) {
        renamed = renamed.with(name, Json.of(REGISTERED));
      }
    }
    return renamed;
  }
}

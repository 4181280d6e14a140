package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an upstream reports about an error, collected from the members in which upstreams report
 * errors.
 *
 * @param codes codes and types in lower case, separated by spaces; empty when there are none
 * @param message the human-readable message; empty when there is none
 * @param status the HTTP status given in the body; 0 when there is none
 * @param retryAfter whole seconds the body asks to wait; negative when it gives none
 */
public record ErrorBody(String codes, String message, int status, long retryAfter) {
  /** The value for a body that contains nothing about the error. */
  public static final ErrorBody NONE = new ErrorBody("", "", 0, RetryAfter.ABSENT);

  /** Returns the error in a document; null when the document does not look like an error. */
  public static @Nullable ErrorBody of(Json document) {
    return switch (document) {
      case Json.Arr list ->
          list.size() == 1 && list.get(0) instanceof Json.Obj object ? of(object) : null;
      case Json.Obj root -> of(root);
      case Json.Str s -> null;
      case Json.Num n -> null;
      case Json.Bool b -> null;
      case Json.Null n -> null;
    };
  }

  /** Returns the error in a document that is known to be an error, in whatever form. */
  public static ErrorBody ofErrorDocument(Json.Obj document) {
    ErrorBody error = of(document);
    return error != null ? error : fromMembers(document);
  }

  private static @Nullable ErrorBody of(Json.Obj root) {
    Json error = root.get("error");
    if (error instanceof Json.Obj inner) {
      return fromMembers(inner);
    }
    if (error instanceof Json.Str text) {
      return new ErrorBody(collectCodes(root, null), text.text(), status(root), RetryAfter.ABSENT);
    }
    boolean isError = "error".equals(root.text("object")) || "error".equals(root.text("type"));
    return isError || root.has("detail") ? fromMembers(root) : null;
  }

  private static ErrorBody fromMembers(Json.Obj error) {
    String message = error.text("message");
    String detail = error.text("detail");
    String text = message != null ? message : detail;
    Json.Arr details = error.list("details");
    return new ErrorBody(
        collectCodes(error, details), text == null ? "" : text, status(error), retryAfter(details));
  }

  private static String collectCodes(Json.Obj error, Json.@Nullable Arr details) {
    var codes = new StringBuilder();
    for (String name : new String[] {"code", "type", "status", "error_type"}) {
      append(error.text(name), codes);
    }
    append(nestedText(error, "metadata", "error_type"), codes);
    append(nestedText(error, "innererror", "code"), codes);
    for (Json detail : details == null ? List.<Json>of() : details) {
      append(detail instanceof Json.Obj item ? item.text("reason") : null, codes);
    }
    return codes.toString().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the whole seconds to wait, which some upstreams give in the details and not in a
   * header; {@link RetryAfter#ABSENT} when there are none.
   */
  private static long retryAfter(Json.@Nullable Arr details) {
    long wait = RetryAfter.ABSENT;
    for (Json detail : details == null ? List.<Json>of() : details) {
      if (detail instanceof Json.Obj item && item.text("retryDelay") != null) {
        wait = Math.max(wait, RetryAfter.seconds(item.text("retryDelay")));
      }
    }
    return wait;
  }

  private static @Nullable String nestedText(Json.Obj error, String object, String name) {
    Json.Obj nested = error.object(object);
    return nested == null ? null : nested.text(name);
  }

  private static void append(@Nullable String code, StringBuilder codes) {
    if (code != null) {
      codes.append(codes.isEmpty() ? "" : " ").append(code);
    }
  }

  private static int status(Json.Obj error) {
    long code = error.longValue("code", 0);
    long status = code == 0 ? error.longValue("status", 0) : code;
    return status >= 400 && status <= 599 ? (int) status : 0;
  }
}

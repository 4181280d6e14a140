package io.strowger.providers.upstream;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.provider.Credential;
import java.util.Locale;

/**
 * Classifies refusals of upstreams by their meaning: the words of the body take precedence over the
 * status, which upstreams use inconsistently. {@code UpstreamErrorClassifierTest} has the table of
 * all cases.
 */
public final class UpstreamErrorClassifier {
  private static final int MAX_MESSAGE_CHARS = 500;

  /** The codes of errors inside an answer that mean that the request is at fault. */
  private static final String[] INVALID_REQUEST_CODES = {
    "invalid_request",
    "invalid_prompt",
    "invalid_argument",
    "failed_precondition",
    "out_of_range",
    "request_too_large",
    "invalid_image",
    "invalid_base64_image",
    "unsupported_image",
    "image_too_",
    "image_file_",
    "image_parse_error",
    "empty_image",
    "download_image"
  };

  private UpstreamErrorClassifier() {}

  /** Returns the failure for an error inside an answer whose headers do not ask to wait. */
  public static Failure failureInAnswer(ErrorBody body, Credential credential) {
    return failureInAnswer(RetryAfter.ABSENT, body, credential);
  }

  /**
   * Returns the failure for an error inside an answer with status 200.
   *
   * @param retryAfter as for {@link #failure}
   */
  static Failure failureInAnswer(long retryAfter, ErrorBody body, Credential credential) {
    int status = body.status() == 0 ? statusOf(body.codes()) : body.status();
    return failure(status, retryAfter, body, credential);
  }

  /** Returns the status that the codes imply when the body has none; 0 for most codes. */
  private static int statusOf(String codes) {
    return hasCode(codes, "overloaded_error") ? 529 : 0;
  }

  /**
   * Returns the failure for a refusal, or for an error inside an answer.
   *
   * @param status the HTTP status, or the one in an error inside an answer; 0 when there is none
   * @param retryAfter the headers' value in whole seconds; negative when they have none, so that
   *     the body's value is used
   */
  static Failure failure(int status, long retryAfter, ErrorBody body, Credential credential) {
    FailureKind kind = kind(status, body.codes(), body.message().toLowerCase(Locale.ROOT));
    String message = body.message().isBlank() ? defaultMessage(status) : body.message();
    long wait = retryAfter < 0 ? body.retryAfter() : retryAfter;
    return new Failure(kind, status, wait, sanitize(message, credential));
  }

  private static String defaultMessage(int status) {
    return status == 0 ? "the upstream reported an error" : "the upstream answered " + status;
  }

  /** Removes the credential, which some upstreams repeat, and shortens the message. */
  private static String sanitize(String message, Credential credential) {
    String redacted = credential.isEmpty() ? message : message.replace(credential.reveal(), "***");
    return ShortText.withEllipsis(redacted, MAX_MESSAGE_CHARS);
  }

  static FailureKind kind(int status, String codes, String message) {
    if (isContextLength(status, codes, message)) {
      return FailureKind.CONTEXT_LENGTH;
    }
    if (isContentPolicy(status, codes, message)) {
      return FailureKind.CONTENT_POLICY;
    }
    if (isQuota(status, codes, message)) {
      return FailureKind.QUOTA;
    }
    if (status == 429
        || containsAny(codes, "rate_limit", "too_many_requests", "resource_exhausted")) {
      return FailureKind.RATE_LIMITED;
    }
    if (isOverload(status, codes)) {
      return FailureKind.OVERLOADED;
    }
    if (isCredential(status, codes, message)) {
      return FailureKind.CREDENTIAL;
    }
    if (isNotFound(status, codes)) {
      return FailureKind.NOT_FOUND;
    }
    return kindOfStatus(status, codes);
  }

  private static FailureKind kindOfStatus(int status, String codes) {
    if (containsAny(codes, "timeout_error", "deadline_exceeded")) {
      return FailureKind.TIMEOUT;
    }
    if (status >= 300) {
      return FailureKind.ofStatus(status);
    }
    return containsAny(codes, INVALID_REQUEST_CODES)
        ? FailureKind.INVALID_REQUEST
        : FailureKind.UNAVAILABLE;
  }

  private static boolean isContextLength(int status, String codes, String message) {
    return containsAny(codes, "context_length", "context_window")
        || blamesRequest(status)
            && containsAny(
                message,
                "maximum context length",
                "context length exceeded",
                "exceeds the context",
                "exceed context limit",
                "exceeds the maximum number of tokens",
                "context window",
                "prompt is too long",
                "input is too long");
  }

  private static boolean isContentPolicy(int status, String codes, String message) {
    return containsAny(
            codes,
            "content_filter",
            "content_policy",
            "policy_violation",
            "moderation",
            "responsibleai",
            "refusal")
        || (blamesRequest(status) || status == 403)
            && containsAny(
                message,
                "content management policy",
                "content filtering policy",
                "content policy",
                "safety system",
                "flagged by moderation",
                "violates our usage polic",
                "violating our usage polic");
  }

  private static boolean isQuota(int status, String codes, String message) {
    return status == 402
        || containsAny(codes, "insufficient_quota", "billing", "payment_required", "credits")
        || (blamesRequest(status) || status == 403)
            && containsAny(
                message,
                "credit balance",
                "insufficient credits",
                "check your plan and billing",
                "enable billing");
  }

  private static boolean isOverload(int status, String codes) {
    return status == 503
        || status == 529
        || containsAny(codes, "overloaded", "engine_busy")
        || status == 0 && hasCode(codes, "unavailable");
  }

  private static boolean isCredential(int status, String codes, String message) {
    return status == 401
        || status == 403
        || containsAny(
            codes,
            "invalid_api_key",
            "api_key_invalid",
            "authentication",
            "unauthenticated",
            "unauthorized",
            "permission")
        || blamesRequest(status) && containsAny(message, "location is not supported");
  }

  private static boolean isNotFound(int status, String codes) {
    return status == 404
        || status == 410
        || containsAny(codes, "model_not_found", "not_found_error")
        || hasCode(codes, "not_found");
  }

  /** Returns whether the status means that the request is at fault, or is unknown. */
  private static boolean blamesRequest(int status) {
    return status == 0 || status == 400 || status == 413 || status == 422;
  }

  /** Returns whether this is one of the codes as a whole, since other codes may end with it. */
  private static boolean hasCode(String codes, String code) {
    return (" " + codes + " ").contains(" " + code + " ");
  }

  private static boolean containsAny(String text, String... fragments) {
    for (String fragment : fragments) {
      if (text.contains(fragment)) {
        return true;
      }
    }
    return false;
  }
}

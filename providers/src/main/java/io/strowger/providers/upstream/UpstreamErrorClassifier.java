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
  private static final int LONGEST_MESSAGE = 500;

  /** The codes of errors inside an answer that mean that the request is at fault. */
  private static final String[] COMPLAINTS = {
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
  public static Failure reported(ErrorBody body, Credential credential) {
    return reported(RetryAfter.NOT_SAID, body, credential);
  }

  /**
   * Returns the failure for an error inside an answer with status 200.
   *
   * @param retryAfter as for {@link #failure}
   */
  static Failure reported(long retryAfter, ErrorBody body, Credential credential) {
    int status = body.status() == 0 ? statusOf(body.words()) : body.status();
    return failure(status, retryAfter, body, credential);
  }

  /** Returns the status that the codes imply when the body has none; 0 for most codes. */
  private static int statusOf(String words) {
    return has(words, "overloaded_error") ? 529 : 0;
  }

  /**
   * @param status the HTTP status, or the one in an error inside an answer; 0 when there is none
   * @param retryAfter the headers' value in whole seconds; negative when they have none, so that
   *     the body's value is used
   */
  static Failure failure(int status, long retryAfter, ErrorBody body, Credential credential) {
    FailureKind kind = kind(status, body.words(), body.message().toLowerCase(Locale.ROOT));
    String said = body.message().isBlank() ? silent(status) : body.message();
    long wait = retryAfter < 0 ? body.retryAfter() : retryAfter;
    return new Failure(kind, status, wait, shown(said, credential));
  }

  private static String silent(int status) {
    return status == 0 ? "the upstream reported an error" : "the upstream answered " + status;
  }

  /** Removes the credential, which some upstreams repeat, and shortens the message. */
  private static String shown(String message, Credential credential) {
    String safe = credential.isEmpty() ? message : message.replace(credential.reveal(), "***");
    return ShortText.withDots(safe, LONGEST_MESSAGE);
  }

  static FailureKind kind(int status, String words, String message) {
    if (isContextLength(status, words, message)) {
      return FailureKind.CONTEXT_LENGTH;
    }
    if (isContentPolicy(status, words, message)) {
      return FailureKind.CONTENT_POLICY;
    }
    if (isQuota(status, words, message)) {
      return FailureKind.QUOTA;
    }
    if (status == 429 || any(words, "rate_limit", "too_many_requests", "resource_exhausted")) {
      return FailureKind.RATE_LIMITED;
    }
    if (isOverload(status, words)) {
      return FailureKind.OVERLOADED;
    }
    if (isCredential(status, words, message)) {
      return FailureKind.CREDENTIAL;
    }
    if (isNotFound(status, words)) {
      return FailureKind.NOT_FOUND;
    }
    return byStatus(status, words);
  }

  private static FailureKind byStatus(int status, String words) {
    if (any(words, "timeout_error", "deadline_exceeded")) {
      return FailureKind.TIMEOUT;
    }
    if (status >= 300) {
      return FailureKind.ofStatus(status);
    }
    return any(words, COMPLAINTS) ? FailureKind.INVALID_REQUEST : FailureKind.UNAVAILABLE;
  }

  private static boolean isContextLength(int status, String words, String message) {
    return any(words, "context_length", "context_window")
        || isComplaint(status)
            && any(
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

  private static boolean isContentPolicy(int status, String words, String message) {
    return any(
            words,
            "content_filter",
            "content_policy",
            "policy_violation",
            "moderation",
            "responsibleai",
            "refusal")
        || (isComplaint(status) || status == 403)
            && any(
                message,
                "content management policy",
                "content filtering policy",
                "content policy",
                "safety system",
                "flagged by moderation",
                "violates our usage polic",
                "violating our usage polic");
  }

  private static boolean isQuota(int status, String words, String message) {
    return status == 402
        || any(words, "insufficient_quota", "billing", "payment_required", "credits")
        || (isComplaint(status) || status == 403)
            && any(
                message,
                "credit balance",
                "insufficient credits",
                "check your plan and billing",
                "enable billing");
  }

  private static boolean isOverload(int status, String words) {
    return status == 503
        || status == 529
        || any(words, "overloaded", "engine_busy")
        || status == 0 && has(words, "unavailable");
  }

  private static boolean isCredential(int status, String words, String message) {
    return status == 401
        || status == 403
        || any(
            words,
            "invalid_api_key",
            "api_key_invalid",
            "authentication",
            "unauthenticated",
            "unauthorized",
            "permission")
        || isComplaint(status) && any(message, "location is not supported");
  }

  private static boolean isNotFound(int status, String words) {
    return status == 404
        || status == 410
        || any(words, "model_not_found", "not_found_error")
        || has(words, "not_found");
  }

  /** Returns whether the status means that the request is at fault, or is unknown. */
  private static boolean isComplaint(int status) {
    return status == 0 || status == 400 || status == 413 || status == 422;
  }

  /** Returns whether this is one of the codes as a whole, since other codes may end with it. */
  private static boolean has(String words, String word) {
    return (" " + words + " ").contains(" " + word + " ");
  }

  private static boolean any(String text, String... signs) {
    for (String sign : signs) {
      if (text.contains(sign)) {
        return true;
      }
    }
    return false;
  }
}

package io.strowger.providers.chat;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Credential;
import java.util.Locale;

/**
 * Classifies what upstreams refuse with, by what it means: the words of the body count for more
 * than the status, which upstreams use freely. Test: {@code RefusalsTest} is the table.
 */
final class Refusals {
  private static final int LONGEST_MESSAGE = 500;

  private Refusals() {}

  /**
   * @param status the HTTP status, or what an error inside an answer names; 0 when neither says
   */
  static Failure failure(int status, long retryAfter, ErrorBody body, Credential credential) {
    FailureKind kind = kind(status, body.words(), body.message().toLowerCase(Locale.ROOT));
    String said = body.message().isBlank() ? silent(status) : body.message();
    return new Failure(kind, status, retryAfter, shown(said, credential));
  }

  private static String silent(int status) {
    return status == 0 ? "the upstream reported an error" : "the upstream answered " + status;
  }

  /** Some upstreams repeat the key they refuse. */
  private static String shown(String message, Credential credential) {
    String safe = credential.isEmpty() ? message : message.replace(credential.reveal(), "***");
    return safe.length() <= LONGEST_MESSAGE ? safe : safe.substring(0, LONGEST_MESSAGE) + "...";
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
    if (status == 429 || any(words, "rate_limit", "too_many_requests")) {
      return FailureKind.RATE_LIMITED;
    }
    if (status == 503 || status == 529 || any(words, "overloaded", "engine_busy")) {
      return FailureKind.OVERLOADED;
    }
    if (isCredential(status, words)) {
      return FailureKind.CREDENTIAL;
    }
    if (status == 404 || status == 410 || any(words, "model_not_found", "not_found_error")) {
      return FailureKind.NOT_FOUND;
    }
    return byStatus(status, words);
  }

  private static FailureKind byStatus(int status, String words) {
    if (status == 408 || status == 504 || status == 524) {
      return FailureKind.TIMEOUT;
    }
    if (status >= 500) {
      return FailureKind.UNAVAILABLE;
    }
    if (status >= 400) {
      return FailureKind.INVALID_REQUEST;
    }
    if (status >= 300) {
      return FailureKind.PROTOCOL; // a redirect, which nobody follows
    }
    return any(words, "invalid_request") ? FailureKind.INVALID_REQUEST : FailureKind.UNAVAILABLE;
  }

  private static boolean isContextLength(int status, String words, String message) {
    return any(words, "context_length", "context_window")
        || isComplaint(status)
            && any(
                message,
                "maximum context length",
                "context length exceeded",
                "exceeds the context",
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
                "content policy",
                "safety system",
                "flagged by moderation",
                "violates our usage polic");
  }

  private static boolean isQuota(int status, String words, String message) {
    return status == 402
        || any(words, "insufficient_quota", "billing", "payment_required", "credits")
        || (isComplaint(status) || status == 403)
            && any(
                message, "credit balance", "insufficient credits", "check your plan and billing");
  }

  private static boolean isCredential(int status, String words) {
    return status == 401
        || status == 403
        || any(words, "invalid_api_key", "authentication", "unauthorized", "permission");
  }

  /** A status with which an upstream complains about the request. */
  private static boolean isComplaint(int status) {
    return status == 0 || status == 400 || status == 413 || status == 422;
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

package io.strowger.conformance.faults;

import org.jspecify.annotations.Nullable;

/** The upstream dialects, with the errors and answers that each of them sends. */
enum Vendor {
  CHAT("openai-chat"),
  RESPONSES("openai-responses"),
  MESSAGES("anthropic-messages"),
  GEMINI("gemini");

  private static final String FAILED =
      "{'id':'r','object':'response','status':'failed','model':'m','output':[],"
          + "'error':{'code':'server_error','message':'boom'}}";

  private final String protocol;

  Vendor(String protocol) {
    this.protocol = protocol;
  }

  /** Returns the name of the protocol in configurations. */
  String protocol() {
    return protocol;
  }

  /** Returns the vendor that comes this many places after this one, in a circle. */
  Vendor next(int by) {
    return values()[(ordinal() + by) % values().length];
  }

  /** Returns the body of an error response. */
  String refusal(UpstreamError error) {
    return switch (this) {
      case CHAT, RESPONSES ->
          "{\"error\":{\"message\":\"%s\",\"type\":\"%s\",\"param\":null,\"code\":\"%s\"}}"
              .formatted(error.message(), error.type(), error.type());
      case MESSAGES ->
          "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":\"%s\"},\"request_id\":\"req_1\"}"
              .formatted(error.messagesType(), error.message());
      case GEMINI -> gemini(error, "");
    };
  }

  /** Returns the body of an error in the gemini dialect, with the time to wait in its details. */
  static String retryInfo(UpstreamError error, int seconds) {
    return gemini(
        error,
        ",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"%ds\"}]"
            .formatted(seconds));
  }

  private static String gemini(UpstreamError error, String details) {
    return "{\"error\":{\"code\":%d,\"message\":\"%s\",\"status\":\"%s\"%s}}"
        .formatted(error.status(), error.message(), error.geminiStatus(), details);
  }

  /** Returns the data of an event that reports an error within a stream. */
  String event(UpstreamError error) {
    return switch (this) {
      case CHAT, MESSAGES, GEMINI -> refusal(error);
      case RESPONSES ->
          "{\"type\":\"error\",\"code\":\"%s\",\"message\":\"%s\",\"param\":null,\"sequence_number\":9}"
              .formatted(error.type(), error.message());
    };
  }

  /** Returns a complete answer as one document. */
  String document(String text) {
    String form =
        switch (this) {
          case CHAT ->
              "{'id':'c','object':'chat.completion','model':'m','choices':[{'index':0,"
                  + "'message':{'role':'assistant','content':'%s'},'finish_reason':'stop'}]}";
          case RESPONSES ->
              "{'id':'r','object':'response','status':'completed','model':'m','output':[{"
                  + "'type':'message','id':'g','role':'assistant','status':'completed',"
                  + "'content':[{'type':'output_text','text':'%s','annotations':[]}]}]}";
          case MESSAGES ->
              "{'id':'m','type':'message','role':'assistant','model':'m','content':["
                  + "{'type':'text','text':'%s'}],'stop_reason':'end_turn','stop_sequence':null,"
                  + "'usage':{'input_tokens':1,'output_tokens':1}}";
          case GEMINI ->
              "{'candidates':[{'content':{'role':'model','parts':[{'text':'%s'}]},"
                  + "'finishReason':'STOP','index':0}]}";
        };
    return form.replace('\'', '"').formatted(text);
  }

  /**
   * Returns a stream whose regular end reports that the answer failed; null when the dialect cannot
   * report it.
   *
   * @param text the text before the end; may be empty
   */
  @Nullable String failedStream(String text) {
    return switch (this) {
      case CHAT -> frame(chunk(text, "null")) + frame(chunk("", "'error'")) + "data: [DONE]\n\n";
      case RESPONSES -> {
        String delta =
            "{'type':'response.output_text.delta','sequence_number':1,'output_index':0,"
                + "'content_index':0,'item_id':'g','delta':'%s'}";
        yield frame("{'type':'response.created','sequence_number':0,'response':{'id':'r'}}")
            + (text.isEmpty() ? "" : frame(delta.formatted(text)))
            + frame(
                "{'type':'response.failed','sequence_number':2,'response':%s}".formatted(FAILED));
      }
      case MESSAGES, GEMINI -> null;
    };
  }

  /** Returns a document of a failed answer; null when the dialect has none. */
  @Nullable String failedDocument() {
    return switch (this) {
      case CHAT -> document(UpstreamError.SECRET).replace("\"stop\"", "\"error\"");
      case RESPONSES -> FAILED.replace('\'', '"');
      case MESSAGES, GEMINI -> null;
    };
  }

  private static String chunk(String text, String reason) {
    return "{'id':'c','object':'chat.completion.chunk','choices':[{'index':0,'delta':{'content':'%s'},'finish_reason':%s}]}"
        .formatted(text, reason);
  }

  private static String frame(String data) {
    return "data: " + data.replace('\'', '"') + "\n\n";
  }
}

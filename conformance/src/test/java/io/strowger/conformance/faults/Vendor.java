package io.strowger.conformance.faults;

import org.jspecify.annotations.Nullable;

/** The dialects of upstreams, in what they say when something is wrong. */
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

  /** As configurations call it. */
  String protocol() {
    return protocol;
  }

  Vendor next(int by) {
    return values()[(ordinal() + by) % values().length];
  }

  /** The body of a refusal. */
  String refusal(Complaint why) {
    return switch (this) {
      case CHAT, RESPONSES ->
          "{\"error\":{\"message\":\"%s\",\"type\":\"%s\",\"param\":null,\"code\":\"%s\"}}"
              .formatted(why.message(), why.type(), why.type());
      case MESSAGES ->
          "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":\"%s\"},\"request_id\":\"req_1\"}"
              .formatted(why.messagesType(), why.message());
      case GEMINI -> gemini(why, "");
    };
  }

  /** The gemini dialect's, with the time to wait among its details. */
  static String waiting(Complaint why, int seconds) {
    return gemini(
        why,
        ",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"%ds\"}]"
            .formatted(seconds));
  }

  private static String gemini(Complaint why, String details) {
    return "{\"error\":{\"code\":%d,\"message\":\"%s\",\"status\":\"%s\"%s}}"
        .formatted(why.status(), why.message(), why.geminiStatus(), details);
  }

  /** The data of an event that reports an error within a stream. */
  String event(Complaint why) {
    return switch (this) {
      case CHAT, MESSAGES, GEMINI -> refusal(why);
      case RESPONSES ->
          "{\"type\":\"error\",\"code\":\"%s\",\"message\":\"%s\",\"param\":null,\"sequence_number\":9}"
              .formatted(why.type(), why.message());
    };
  }

  /** A complete answer as one document. */
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
   * A stream that ends in good order by saying that the answer failed; null where that is never
   * said.
   *
   * @param text comes before; may be empty
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

  /** A document that says that the answer failed; null where that is never said. */
  @Nullable String failedDocument() {
    return switch (this) {
      case CHAT -> document(Complaint.SECRET).replace("\"stop\"", "\"error\"");
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

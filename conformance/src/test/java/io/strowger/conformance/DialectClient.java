package io.strowger.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A client that uses the gateway's API in one dialect: it writes requests and continues
 * conversations. Written against the contract, with another JSON library than the gateway's.
 */
enum DialectClient {
  CHAT("/chat/completions", "messages"),
  MESSAGES("/messages", "messages"),
  RESPONSES("/responses", "input");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  final String path;
  private final String conversationMember;

  DialectClient(String path, String conversationMember) {
    this.path = path;
    this.conversationMember = conversationMember;
  }

  /** Parses JSON that is written with single quotes. */
  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parses JSON as it is sent. */
  static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException("not JSON: " + text, e);
    }
  }

  /** Returns a new empty array. */
  static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  /** Returns a request that says "Hello" to the model for an upstream dialect. */
  ObjectNode hello(DialectUpstream upstream) {
    return ask(upstream, json("'Hello'"));
  }

  private ObjectNode ask(DialectUpstream upstream, JsonNode content) {
    ObjectNode request = (ObjectNode) json("{'model':'acme/" + upstream.slug() + "'}");
    ObjectNode turn = (ObjectNode) json("{'role':'user'}");
    turn.set("content", content);
    request.set(conversationMember, MAPPER.createArrayNode().add(turn));
    return request;
  }

  /** Returns a request with a question about an image. */
  ObjectNode image(DialectUpstream upstream, String url) {
    String data = url.substring(url.indexOf(',') + 1);
    return ask(
        upstream,
        switch (this) {
          case CHAT ->
              json(
                  "[{'type':'text','text':'What is it?'},{'type':'image_url','image_url':{'url':'%s'}}]"
                      .formatted(url));
          case RESPONSES ->
              json(
                  "[{'type':'input_text','text':'What is it?'},{'type':'input_image','detail':'auto','image_url':'%s'}]"
                      .formatted(url));
          case MESSAGES ->
              json(
                  "[{'type':'text','text':'What is it?'},{'type':'image','source':%s}]"
                      .formatted(
                          url.startsWith("data:")
                              ? "{'type':'base64','media_type':'image/png','data':'" + data + "'}"
                              : "{'type':'url','url':'" + url + "'}"));
        });
  }

  /** Adds a function that has one optional argument, a city. */
  ObjectNode withTool(ObjectNode request, String name) {
    String schema = "{'type':'object','properties':{'city':{'type':'string'}}}";
    request
        .withArray("tools")
        .add(
            switch (this) {
              case CHAT ->
                  json(
                      "{'type':'function','function':{'name':'%s','parameters':%s}}"
                          .formatted(name, schema));
              case RESPONSES ->
                  json("{'type':'function','name':'%s','parameters':%s}".formatted(name, schema));
              case MESSAGES -> json("{'name':'%s','input_schema':%s}".formatted(name, schema));
            });
    return request;
  }

  ObjectNode withSchema(ObjectNode request) {
    String schema =
        "{'type':'object','properties':{'age':{'type':'integer'}},'required':['age'],'additionalProperties':false}";
    switch (this) {
      case CHAT ->
          request.set(
              "response_format",
              json(
                  "{'type':'json_schema','json_schema':{'name':'person','strict':true,'schema':%s}}"
                      .formatted(schema)));
      case RESPONSES ->
          request.set(
              "text",
              json(
                  "{'format':{'type':'json_schema','name':'person','strict':true,'schema':%s}}"
                      .formatted(schema)));
      case MESSAGES ->
          request.set(
              "output_config",
              json("{'format':{'type':'json_schema','schema':%s}}".formatted(schema)));
    }
    return request;
  }

  ObjectNode withMaxTokens(ObjectNode request, int maxTokens) {
    return request.put(
        switch (this) {
          case CHAT -> "max_completion_tokens";
          case RESPONSES -> "max_output_tokens";
          case MESSAGES -> "max_tokens";
        },
        maxTokens);
  }

  ObjectNode withThinking(ObjectNode request) {
    switch (this) {
      case CHAT -> request.set("reasoning", json("{'effort':'high'}"));
      case RESPONSES -> {
        request.set("reasoning", json("{'effort':'high','summary':'auto'}"));
        request.set("include", json("['reasoning.encrypted_content']"));
      }
      case MESSAGES -> {
        request.put("max_tokens", 8000);
        request.set("thinking", json("{'type':'enabled','budget_tokens':4000}"));
      }
    }
    return request;
  }

  ObjectNode withoutThinking(ObjectNode request) {
    switch (this) {
      case CHAT, RESPONSES -> request.set("reasoning", json("{'effort':'none'}"));
      case MESSAGES -> request.set("thinking", json("{'type':'disabled'}"));
    }
    return request;
  }

  /** Appends an answer to the conversation, unchanged. */
  ObjectNode withAnswer(ObjectNode request, JsonNode answer) {
    ArrayNode conversation = request.withArray(conversationMember);
    switch (this) {
      case CHAT -> conversation.add(answer.at("/choices/0/message"));
      case RESPONSES -> answer.path("output").forEach(conversation::add);
      case MESSAGES -> {
        ObjectNode turn = (ObjectNode) json("{'role':'assistant'}");
        turn.set("content", answer.path("content"));
        conversation.add(turn);
      }
    }
    return request;
  }

  /** Appends the results of calls to the conversation, in order. */
  ObjectNode withResults(ObjectNode request, List<DialectContent.Call> calls) {
    ArrayNode conversation = request.withArray(conversationMember);
    Consumer<JsonNode> add = conversation::add;
    if (this == MESSAGES) {
      ObjectNode turn = (ObjectNode) json("{'role':'user','content':[]}");
      conversation.add(turn);
      add = turn.withArray("content")::add;
    }
    var results = new ArrayList<JsonNode>();
    for (DialectContent.Call call : calls) {
      String form =
          switch (this) {
            case CHAT -> "{'role':'tool','tool_call_id':'%s','content':'%s'}";
            case RESPONSES -> "{'type':'function_call_output','call_id':'%s','output':'%s'}";
            case MESSAGES -> "{'type':'tool_result','tool_use_id':'%s','content':'%s'}";
          };
      results.add(json(form.formatted(call.id(), "sunny in " + call.name())));
    }
    results.forEach(add);
    return request;
  }
}

package io.strowger.core.dialect.speech;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.list;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.spi.json.Json;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Generates valid speech bodies, and mutations that each break one rule of such a body. */
public final class SpeechBodies {
  private static final String CLIP = "{'type':'input_audio','input_audio':{'data':'QQ=='}}";
  private static final String TRANSCRIPT = "{'type':'text','text':'said'}";
  private static final String IMAGE = "{'type':'image_url','image_url':{'url':'https://a/b.png'}}";
  private static final String MIXED =
      "must be of the same kind as the other parts: input_audio with text, or one image_url";
  private static final String DIRECTLY = "must directly follow the input_audio it belongs to";

  private SpeechBodies() {}

  public static Arbitrary<Json.Obj> valid() {
    return ObjectArbitrary.object()
        .always("model", text(1, 12))
        .always("input", input())
        .always("voice", text(1, 12))
        .sometimes("response_format", oneOf("'mp3'", "'pcm'"))
        .sometimes("speed", oneOf("1", "1.0", "0.25", "4", "1e-3", "100"))
        .sometimes("instructions", text(0, 12))
        .sometimes("input_references", references())
        .sometimes("provider", provider())
        .sometimes("session_id", text(0, 256))
        .sometimes("user", text(0, 256))
        .sometimes("trace", oneOf("{}", "{'trace_id':'t','other':[1]}"))
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json> input() {
    Arbitrary<Json.Obj> turn =
        ObjectArbitrary.object()
            .always("text", text(0, 12))
            .sometimes("voice", text(1, 12))
            .sometimes("instructions", text(0, 12))
            .sometimes("unknown", anything())
            .build();
    return Arbitraries.oneOf(text(0, 40), list(turn, 1, 4));
  }

  private static Arbitrary<Json> references() {
    return oneOf(
        "[]",
        array(CLIP),
        array(CLIP, TRANSCRIPT),
        array(TRANSCRIPT, CLIP),
        array(CLIP, CLIP),
        array(CLIP, TRANSCRIPT, CLIP),
        array(CLIP, CLIP, TRANSCRIPT),
        array(CLIP, TRANSCRIPT, CLIP, TRANSCRIPT, CLIP, TRANSCRIPT),
        array(CLIP, CLIP, CLIP),
        "[{'type':'input_audio','input_audio':{'data':'data:a;base64,A','format':'wav','x':1}}]",
        array(IMAGE));
  }

  private static Arbitrary<Json.Obj> provider() {
    return ObjectArbitrary.object()
        .sometimes("zdr", oneOf("true", "false", "null"))
        .sometimes("data_collection", oneOf("'allow'", "'deny'", "null"))
        .sometimes("options", oneOf("{}", "{'alpha':{},'beta':{'x':[1]}}"))
        .build();
  }

  static String array(String... items) {
    return "[" + String.join(",", items) + "]";
  }

  /** Returns mutations that each break exactly one rule of any valid body. */
  public static List<Mutation> mutations() {
    return List.of(
        Mutation.without("model"),
        Mutation.set("model", "''", "must be a string, not empty"),
        Mutation.set("model", "null", "must be a string, not empty"),
        Mutation.without("input"),
        Mutation.set("input", "null", "must be a string or an array of turns"),
        Mutation.set("input", "{}", "must be a string or an array of turns"),
        Mutation.set("input", "[]", "must have at least 1 item"),
        Mutation.set("input", "['a']", "/0", "must be an object"),
        Mutation.set("input", "[{'text':'a'},{}]", "/1/text", "is required"),
        Mutation.set("input", "[{'text':null}]", "/0/text", "must be a string"),
        Mutation.set(
            "input", "[{'text':'a','voice':''}]", "/0/voice", "must be a string, not empty"),
        Mutation.set(
            "input", "[{'text':'a','voice':null}]", "/0/voice", "must be a string, not empty"),
        Mutation.set(
            "input", "[{'text':'a','instructions':1}]", "/0/instructions", "must be a string"),
        Mutation.without("voice"),
        Mutation.set("voice", "''", "must be a string, not empty"),
        Mutation.set("voice", "7", "must be a string, not empty"),
        Mutation.set("response_format", "'wav'", "must be one of mp3, pcm"),
        Mutation.set("response_format", "null", "must be one of mp3, pcm"),
        Mutation.set("speed", "0", "must be a number greater than 0"),
        Mutation.set("speed", "-0.5", "must be a number greater than 0"),
        Mutation.set("speed", "'1'", "must be a number"),
        Mutation.set("speed", "null", "must be a number"),
        Mutation.set("instructions", "null", "must be a string"),
        Mutation.set("input_references", "null", "must be an array"),
        reference(array("1"), "/0", "must be an object"),
        reference(array("{}"), "/0/type", "is required"),
        reference(
            array("{'type':'video'}"), "/0/type", "must be one of input_audio, text, image_url"),
        reference(array("{'type':'input_audio'}"), "/0/input_audio", "is required"),
        reference(
            array("{'type':'input_audio','input_audio':{}}"), "/0/input_audio/data", "is required"),
        reference(
            array("{'type':'input_audio','input_audio':{'data':''}}"),
            "/0/input_audio/data",
            "must be a string of 1 to 20971520 characters"),
        reference(
            array("{'type':'input_audio','input_audio':{'data':'A','format':null}}"),
            "/0/input_audio/format",
            "must be a string"),
        reference(array(CLIP, "{'type':'text'}"), "/1/text", "is required"),
        reference(
            array("{'type':'image_url','image_url':'u'}"), "/0/image_url", "must be an object"),
        reference(array("{'type':'image_url','image_url':{}}"), "/0/image_url/url", "is required"),
        reference(array(CLIP, IMAGE), "/1", MIXED),
        reference(array(IMAGE, TRANSCRIPT, CLIP), "/2", MIXED),
        reference(array(IMAGE, IMAGE), "/1", "must be the only image_url"),
        reference(array(IMAGE, TRANSCRIPT), "/1", "must be the transcript of an input_audio"),
        reference(array(TRANSCRIPT), "/0", "must be the transcript of an input_audio"),
        reference(
            array(CLIP, CLIP, CLIP, CLIP), "", "must have at most 3 parts of type input_audio"),
        reference(
            array(TRANSCRIPT, CLIP, TRANSCRIPT),
            "/2",
            "must be the only transcript of the one input_audio"),
        reference(array(TRANSCRIPT, CLIP, CLIP), "/0", DIRECTLY),
        reference(array(CLIP, TRANSCRIPT, TRANSCRIPT, CLIP), "/2", DIRECTLY),
        Mutation.set("provider", "null", "must be an object"),
        Mutation.set("provider", "{'zdr':0}", "/zdr", "must be true or false"),
        Mutation.set(
            "provider",
            "{'data_collection':'Deny'}",
            "/data_collection",
            "must be one of allow, deny"),
        Mutation.set("provider", "{'options':null}", "/options", "must be an object"),
        Mutation.set("provider", "{'options':{'a':1}}", "/options/a", "must be an object"),
        Mutation.set(
            "provider",
            "{'only':['a']}",
            "/only",
            "is not a member of provider for speech, which has zdr, data_collection, options"),
        Mutation.set(
            "session_id",
            "'" + "s".repeat(257) + "'",
            "must be a string of at most 256 characters"),
        Mutation.set("session_id", "null", "must be a string of at most 256 characters"),
        Mutation.set(
            "user", "'" + "u".repeat(257) + "'", "must be a string of at most 256 characters"),
        Mutation.set("trace", "[]", "must be an object"),
        Mutation.set("trace", "{'span_name':1}", "/span_name", "must be a string"));
  }

  private static Mutation reference(String json, String under, String allowed) {
    return Mutation.set("input_references", json, under, allowed);
  }
}

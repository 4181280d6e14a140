package io.strowger.core.dialect.unary;

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

/** Generates valid embeddings bodies, and mutations that each break one rule of such a body. */
public final class EmbeddingsBodies {
  private static final String PART = "{'type':'text','text':'a'}";
  private static final String KINDS =
      "must be one of text, image_url, input_audio, input_video, file";

  private EmbeddingsBodies() {}

  public static Arbitrary<Json.Obj> valid() {
    return with(Arbitraries.oneOf(plainInput(), contents()))
        .sometimes("input_type", oneOf("'search_query'", "'search_document'", "''"))
        .sometimes("provider", oneOf("null", "{}", "{'order':['a'],'allow_fallbacks':false}"))
        .build();
  }

  /** Generates valid bodies that a batch accepts, too. */
  public static Arbitrary<Json.Obj> validInBatches() {
    return with(plainInput()).build();
  }

  private static ObjectArbitrary with(Arbitrary<Json> input) {
    return ObjectArbitrary.object()
        .always("model", text(1, 12))
        .always("input", input)
        .sometimes("encoding_format", oneOf("'float'", "'base64'"))
        .sometimes("dimensions", oneOf("1", "256", "1e3", "4096.0"))
        .sometimes("user", text(0, 300))
        .sometimes("unknown", anything());
  }

  private static Arbitrary<Json> plainInput() {
    Arbitrary<Json> token = Arbitraries.integers().between(0, 200_000).map(Json::of);
    return Arbitraries.oneOf(
        text(1, 40), list(text(1, 12), 1, 4), list(token, 1, 8), list(list(token, 0, 4), 1, 4));
  }

  private static Arbitrary<Json> contents() {
    Arbitrary<Json> part =
        oneOf(
            PART,
            "{'type':'image_url','image_url':{'url':'u','detail':'low'},'x':1}",
            "{'type':'input_audio','input_audio':{'data':'QQ==','format':'wav'}}",
            "{'type':'input_video','video_url':{'url':'u'}}",
            "{'type':'file','file':{'file_id':'f'}}");
    ObjectArbitrary item =
        ObjectArbitrary.object()
            .always("content", list(part, 1, 3))
            .sometimes("unknown", anything());
    return list(item.build(), 1, 3);
  }

  /** Returns mutations that each break exactly one rule of any valid body. */
  public static List<Mutation> mutations() {
    return List.of(
        Mutation.without("model"),
        Mutation.set("model", "''", "must be a string, not empty"),
        Mutation.set("model", "null", "must be a string, not empty"),
        Mutation.without("input"),
        input("null", "", allForms()),
        input("{}", "", allForms()),
        input("3", "", allForms()),
        input("''", "", "must be a string, not empty"),
        input("[]", "", "must have at least 1 item"),
        input("['a','']", "/1", "must be a string, not empty"),
        input("['a','b',3]", "/2", "must be a string, as the first item is"),
        input("[1,2,'c',4]", "/2", "must be a number, as the first item is"),
        input("[1,null]", "/1", "must be a number, as the first item is"),
        input("[1,[2]]", "/1", "must be a number, as the first item is"),
        input("[[1],2]", "/1", "must be an array of numbers, as the first item is"),
        input("[[1],[2,'c']]", "/1/1", "must be a number"),
        input("[[1],[[2]]]", "/1/0", "must be a number"),
        input("[null,1]", "/0", "must be a string, a number, an array of numbers or an object"),
        input("[{}]", "/0/content", "is required"),
        input("[{'content':null}]", "/0/content", "must be an array"),
        input("[{'content':[]}]", "/0/content", "must have at least 1 item"),
        input("[{'content':[" + PART + "]},'a']", "/1", "must be an object, as the first item is"),
        content("'a'", "", "must be an object"),
        content("{'text':'a'}", "/type", "is required"),
        content("{'type':'video'}", "/type", KINDS),
        content("{'type':'text'}", "/text", "is required"),
        content("{'type':'text','text':''}", "/text", "must be a string, not empty"),
        content("{'type':'image_url','image_url':'u'}", "/image_url", "must be an object"),
        content("{'type':'image_url','image_url':{}}", "/image_url/url", "is required"),
        Mutation.set("encoding_format", "'int8'", "must be one of float, base64"),
        Mutation.set("encoding_format", "null", "must be one of float, base64"),
        Mutation.set("dimensions", "0", "must be a whole number of at least 1"),
        Mutation.set("dimensions", "1.5", "must be a whole number of at least 1"),
        Mutation.set("dimensions", "null", "must be a whole number of at least 1"),
        Mutation.set("input_type", "1", "must be a string"),
        Mutation.set("input_type", "null", "must be a string"),
        Mutation.set("user", "{}", "must be a string"),
        Mutation.set("user", "null", "must be a string"),
        Mutation.set("provider", "[]", "must be an object"),
        Mutation.set("provider", "{'x':1}", "/x", "is not a member of provider"));
  }

  private static String allForms() {
    return "must be a string, or an array of strings, of numbers, of arrays of numbers or of"
        + " objects with content";
  }

  private static Mutation input(String json, String under, String allowed) {
    return Mutation.set("input", json, under, allowed);
  }

  private static Mutation content(String part, String under, String allowed) {
    return input("[{'content':[" + PART + "," + part + "]}]", "/0/content/1" + under, allowed);
  }
}

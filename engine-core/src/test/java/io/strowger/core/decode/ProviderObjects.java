package io.strowger.core.decode;

import static io.strowger.core.decode.Mutation.set;
import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.list;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;

import io.strowger.spi.json.Json;
import java.util.List;
import net.jqwik.api.Arbitrary;

/** Generates valid provider objects, and mutations that each break one rule. */
public final class ProviderObjects {
  private ProviderObjects() {}

  public static Arbitrary<Json.Obj> valid() {
    Arbitrary<Json> flag = oneOf("true", "false", "null");
    Arbitrary<Json> cap = oneOf("'0.5'", "1", "'0'", "1e-9", "'1e400'");
    Arbitrary<Json> cutoff = oneOf("0", "1.5", "1e400", "null");
    Arbitrary<Json> cutoffs =
        ObjectArbitrary.object()
            .sometimes("p50", cutoff)
            .sometimes("p75", cutoff)
            .sometimes("p90", cutoff)
            .sometimes("p99", cutoff)
            .sometimes("later", anything())
            .build()
            .map(object -> object);
    return ObjectArbitrary.object()
        .sometimes("allow_fallbacks", flag)
        .sometimes("data_collection", oneOf("'deny'", "'allow'", "null"))
        .sometimes("enforce_distillable_text", flag)
        .sometimes("ignore", list(text(0, 9), 0, 3))
        .sometimes("only", list(text(0, 9), 0, 3))
        .sometimes("order", oneOf("null", "[]", "['a','b/c']"))
        .sometimes(
            "max_price",
            ObjectArbitrary.object()
                .sometimes("prompt", cap)
                .sometimes("completion", cap)
                .sometimes("image", cap)
                .sometimes("audio", cap)
                .sometimes("request", cap)
                .sometimes("later", anything())
                .build())
        .sometimes("preferred_max_latency", cutoffs)
        .sometimes("preferred_min_throughput", oneOf("null", "0", "12.5", "{'p50':1}"))
        .sometimes("quantizations", oneOf("null", "[]", "['fp8','int4','unknown']"))
        .sometimes("require_parameters", flag)
        .sometimes("sort", oneOf("null", "'price'", "{}", "{'by':'exacto','partition':'none'}"))
        .sometimes("zdr", flag)
        .build();
  }

  /** Returns mutations that each break one rule of any valid object. */
  public static List<Mutation> mutations() {
    String flag = "must be true or false";
    String amount = "must be an amount of at least 0, such as \"0.5\"";
    String sorts = "must be one of price, throughput, latency, exacto";
    return List.of(
        set("later", "null", "is not a member of provider"),
        set("allow_fallbacks", "'true'", flag),
        set("data_collection", "'maybe'", "must be one of deny, allow"),
        set("enforce_distillable_text", "0", flag),
        set("ignore", "'a'", "must be an array"),
        set("only", "['a',1]", "/1", "must be a string"),
        set("order", "[null]", "/0", "must be a string"),
        set("max_price", "null", "must be an object"),
        set("max_price", "{'prompt':'-1'}", "/prompt", amount),
        set("max_price", "{'completion':null}", "/completion", amount),
        set("max_price", "{'image':'x'}", "/image", amount),
        set("max_price", "{'audio':true}", "/audio", amount),
        set("max_price", "{'request':-0.1}", "/request", amount),
        set("preferred_max_latency", "-1", "must be a number of at least 0"),
        set("preferred_max_latency", "{'p99':-1}", "/p99", "must be a number of at least 0"),
        set(
            "preferred_min_throughput",
            "[]",
            "must be a number or an object of p50, p75, p90, p99"),
        set(
            "quantizations",
            "['fp9']",
            "/0",
            "must be one of int4, int8, fp4, mxfp4, nvfp4, fp6, fp8, mxfp8, fp16, bf16, fp32,"
                + " unknown"),
        set("require_parameters", "[]", flag),
        set("sort", "'cost'", sorts),
        set("sort", "true", "must be a string or an object"),
        set("sort", "{'by':'cost'}", "/by", sorts),
        set("sort", "{'partition':'all'}", "/partition", "must be one of model, none"),
        set("zdr", "1", flag));
  }
}

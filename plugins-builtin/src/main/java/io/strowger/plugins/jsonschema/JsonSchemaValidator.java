package io.strowger.plugins.jsonschema;

import dev.harrel.jsonschema.Dialects;
import dev.harrel.jsonschema.Error;
import dev.harrel.jsonschema.JsonSchemaException;
import dev.harrel.jsonschema.SchemaResolver;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import io.strowger.spi.error.Problem;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.plugin.SchemaValidator;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks values against JSON Schemas of the drafts 4 to 2020-12. A schema that names no draft, or
 * an unknown one, is read as 2020-12. {@code format} is an annotation and asserts nothing. A
 * keyword whose value is malformed has no effect.
 *
 * <p>Schemas of callers are not trusted: references resolve only within the schema itself, patterns
 * run in linear time, and depth, size and steps are bounded. A schema that exceeds a bound, or has
 * a pattern that needs backtracking, is unusable.
 *
 * <p>Contract: plugins fact sheet, sections 8 and 12.
 */
public final class JsonSchemaValidator implements SchemaValidator {
  private static final URI ROOT = URI.create("urn:schema");
  private static final int MAX_PROBLEMS = 32;
  private static final int MAX_MESSAGE = 300; // characters; it may quote the schema

  @Override
  public Verdict check(Json.Obj schema, Json value) {
    try {
      SchemaNode.requireBounded(schema);
    } catch (WorkLimit.Exceeded beyond) {
      return new Verdict.Unusable(beyond.getMessage());
    }
    try {
      SchemaNode.requireBounded(value);
    } catch (WorkLimit.Exceeded beyond) {
      return new Verdict.Misfit(
          List.of(new Problem(JsonPointer.ROOT, "is a value that " + beyond.getMessage(), "")));
    }
    return bounded(schema, value);
  }

  private static Verdict bounded(Json.Obj schema, Json value) {
    try {
      Validator validator =
          new ValidatorFactory()
              .withDialect(new Dialects.Draft2020Dialect())
              .withDisabledSchemaValidation(true)
              .withSchemaResolver(elsewhere -> SchemaResolver.Result.empty())
              .withJsonNodeFactory(SchemaNode.FACTORY)
              .withEvaluatorFactory(new BoundedKeywords(new WorkLimit()))
              .createValidator();
      URI registered = validator.registerSchema(ROOT, SchemaNode.FACTORY.wrap(schema));
      return verdict(validator.validate(registered, SchemaNode.FACTORY.wrap(value)));
    } catch (WorkLimit.Exceeded beyond) {
      return new Verdict.Unusable(beyond.getMessage());
    } catch (JsonSchemaException | IllegalArgumentException malformed) {
      return new Verdict.Unusable("is malformed");
    }
  }

  private static Verdict verdict(Validator.Result result) {
    if (result.isValid()) {
      return new Verdict.Fits();
    }
    Set<Problem> problems = new LinkedHashSet<>();
    for (Error error : result.getErrors()) {
      if (isReference(error)) {
        return new Verdict.Unusable("refers to what is not in it");
      }
      if (problems.size() < MAX_PROBLEMS) {
        problems.add(problem(error));
      }
    }
    List<Problem> all = new ArrayList<>(problems);
    return new Verdict.Misfit(
        all.isEmpty() ? List.of(new Problem(JsonPointer.ROOT, "must fit the schema", "")) : all);
  }

  /**
   * Returns whether an error is an unresolved reference of the schema, which the library reports as
   * an error of the value.
   */
  private static boolean isReference(Error error) {
    String keyword = error.getKeyword();
    return keyword != null && keyword.endsWith("ef") && keyword.startsWith("$");
  }

  private static Problem problem(Error error) {
    JsonPointer at = JsonPointer.parse(error.getInstanceLocation());
    String keyword = error.getKeyword();
    if (keyword == null) {
      return new Problem(at, "is not allowed here", "");
    }
    String said = error.getError();
    String cut = ShortText.withDots(said, MAX_MESSAGE);
    return new Problem(at, "must fit the keyword " + keyword + " of the schema: " + cut, "");
  }
}

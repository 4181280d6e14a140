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
    } catch (UncheckableException e) {
      return new Verdict.UnusableSchema(e.getMessage());
    }
    try {
      SchemaNode.requireBounded(value);
    } catch (UncheckableException e) {
      return new Verdict.Invalid(
          List.of(new Problem(JsonPointer.ROOT, "is a value that " + e.getMessage(), "")));
    }
    return checkBounded(schema, value);
  }

  private static Verdict checkBounded(Json.Obj schema, Json value) {
    try {
      Validator validator =
          new ValidatorFactory()
              .withDialect(new Dialects.Draft2020Dialect())
              .withDisabledSchemaValidation(true)
              .withSchemaResolver(uri -> SchemaResolver.Result.empty())
              .withJsonNodeFactory(SchemaNode.FACTORY)
              .withEvaluatorFactory(new BoundedKeywords(new WorkLimit()))
              .createValidator();
      URI schemaUri = validator.registerSchema(ROOT, SchemaNode.FACTORY.wrap(schema));
      return verdict(validator.validate(schemaUri, SchemaNode.FACTORY.wrap(value)));
    } catch (UncheckableException e) {
      return new Verdict.UnusableSchema(e.getMessage());
    } catch (JsonSchemaException | IllegalArgumentException e) {
      return new Verdict.UnusableSchema("is malformed");
    }
  }

  private static Verdict verdict(Validator.Result result) {
    if (result.isValid()) {
      return new Verdict.Valid();
    }
    Set<Problem> problems = new LinkedHashSet<>();
    for (Error error : result.getErrors()) {
      if (isUnresolvedReference(error)) {
        return new Verdict.UnusableSchema("has a reference that does not resolve within it");
      }
      if (problems.size() < MAX_PROBLEMS) {
        problems.add(problem(error));
      }
    }
    List<Problem> problemList = new ArrayList<>(problems);
    return new Verdict.Invalid(
        problemList.isEmpty()
            ? List.of(new Problem(JsonPointer.ROOT, "must fit the schema", ""))
            : problemList);
  }

  /**
   * Returns whether an error is an unresolved reference of the schema, which the library reports as
   * an error of the value.
   */
  private static boolean isUnresolvedReference(Error error) {
    String keyword = error.getKeyword(); // $ref, $dynamicRef or $recursiveRef
    return keyword != null && keyword.endsWith("ef") && keyword.startsWith("$");
  }

  private static Problem problem(Error error) {
    JsonPointer at = JsonPointer.parse(error.getInstanceLocation());
    String keyword = error.getKeyword();
    if (keyword == null) {
      return new Problem(at, "is not allowed here", "");
    }
    String message = error.getError();
    String cut = ShortText.withEllipsis(message, MAX_MESSAGE);
    return new Problem(at, "must fit the keyword " + keyword + " of the schema: " + cut, "");
  }
}

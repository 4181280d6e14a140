/**
 * Checks values against JSON Schemas with a library, and holds that library to bounded work. Start
 * reading at {@link io.strowger.plugins.jsonschema.JsonSchemaValidator}.
 */
@NullMarked
package io.strowger.plugins.jsonschema;

import org.jspecify.annotations.NullMarked;

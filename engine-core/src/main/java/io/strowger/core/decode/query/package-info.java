/**
 * From the query and the path of a request to typed values, a table for each operation that has
 * parameters. Start reading at {@link io.strowger.core.decode.query.Queries}.
 */
@NullMarked
package io.strowger.core.decode.query;

import org.jspecify.annotations.NullMarked;

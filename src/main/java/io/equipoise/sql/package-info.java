/**
 * A format of Flink SQL for the topics of a deployment. Packed with {@code event} and {@code
 * registry} as {@code equipoise-sql.jar} for the lib directory of a Flink cluster or SQL client;
 * not in the job jar. Knows these two only.
 */
@NullMarked
package io.equipoise.sql;

import org.jspecify.annotations.NullMarked;

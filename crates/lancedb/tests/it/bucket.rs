//! The same in a bucket of an object store.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mindfile_index::conformance::notes::{put, vector};
use mindfile_index::conformance::{self, Allowances};
use mindfile_index::{Backend, Batch, Change, Filter, Index, NoteQuery, PurgeOutcome, QueryTerm, Shelf};
use mindfile_lancedb::{LanceIndex, Options};

use crate::decoded::decoded;
use crate::faults::{check, writer};
use crate::place::{apply, bucket};

#[test]
fn lancedb_keeps_the_contract_in_a_bucket() {
    let Some(options) = bucket() else { return };
    let made = AtomicU32::new(0);
    let fresh = || -> Box<dyn Index> {
        let agent = format!("agent{}", made.fetch_add(1, Ordering::Relaxed));
        Box::new(LanceIndex::open(&Options { agent, ..options.clone() }).unwrap())
    };
    let cases = std::env::var("MINDFILE_CASES").ok().map_or(2, |text| text.parse().unwrap());
    conformance::all(&fresh, Allowances::default(), cases);
}

#[test]
fn two_processes_that_write_to_a_bucket_lose_nothing_and_duplicate_nothing() {
    let Some(options) = bucket() else { return };
    let mut writers = ["one", "two"].map(|name| writer(&options, name, 4));
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert_eq!(check(&LanceIndex::open(&options).unwrap()), 8);
}

/// A writer that died left its lock; after half a minute the next one takes it.
#[test]
fn a_lock_in_a_bucket_whose_owner_is_gone_is_taken_over() {
    let Some(options) = bucket() else { return };
    let index = LanceIndex::open(&options).unwrap();
    in_bucket(
        &options,
        "s3.put_object(Bucket='notes', Key=sys.argv[2] + '/main/write.lock', Body=b'dead')",
        "",
    );
    apply(&index, put("memory/a.md", &["coffee deadline", "walk dog"]));
    assert_eq!(check(&index), 1);
}

fn names(options: &Options) -> Vec<String> {
    let code = "for page in s3.get_paginator('list_objects_v2').paginate(Bucket='notes', Prefix=sys.argv[2]):\n\
        \x20   for one in page.get('Contents', []):\n\
        \x20       print(one['Key'])\n";
    in_bucket(options, code, "").lines().map(str::to_owned).collect()
}

/// Where the only set of tables is.
fn part_of(options: &Options) -> String {
    let names = names(options);
    let at = |name: &String| Some(name.split_once("/main/part-")?.1.split_once('/')?.0.to_owned());
    let parts: BTreeSet<String> = names.iter().filter_map(at).collect();
    assert_eq!(parts.len(), 1);
    format!("{}/main/part-{}", options.uri, parts.first().unwrap())
}

/// A writer that is killed leaves its lock behind when it was in the middle of a batch; the next one takes it over.
#[test]
fn a_process_that_is_killed_while_it_writes_to_a_bucket_leaves_whole_batches() {
    let Some(options) = bucket() else { return };
    drop(LanceIndex::open(&options).unwrap());
    let mut before = 0;
    let mut locked = 0;
    for round in 0..3_u64 {
        let mut killed = writer(&options, &format!("round{round}"), 1_000);
        while !names(&options).iter().any(|name| name.ends_with("/write.lock")) {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(1_700 + 437 * round));
        killed.kill().unwrap();
        killed.wait().unwrap();
        locked += usize::from(names(&options).iter().any(|name| name.ends_with("/write.lock")));
        let index = LanceIndex::open(&options).unwrap();
        let now = check(&index);
        assert!(now >= before);
        apply(&index, put(&format!("memory/after{round}.md"), &["coffee deadline", "walk dog"]));
        before = check(&index);
        assert_eq!(before, now + 1);
    }
    assert!(before > 3 && locked > 0, "{before} notes, {locked} in the middle of a batch");
}

/// Every object of the bucket, asked for as anybody may who has its keys.
fn objects_with(options: &Options, needle: &str) -> Vec<String> {
    let code = "for page in s3.get_paginator('list_objects_v2').paginate(Bucket='notes', Prefix=sys.argv[2]):\n\
        \x20   for one in page.get('Contents', []):\n\
        \x20       if sys.argv[3].encode() in s3.get_object(Bucket='notes', Key=one['Key'])['Body'].read():\n\
        \x20           print(one['Key'])\n";
    in_bucket(options, code, needle).lines().map(str::to_owned).collect()
}

/// What the code prints, of another client than ours.
fn in_bucket(options: &Options, code: &str, needle: &str) -> String {
    let client = "import sys, boto3\n\
        s3 = boto3.client('s3', endpoint_url=sys.argv[1], region_name='us-east-1',\n\
        \x20   aws_access_key_id='nobody', aws_secret_access_key='nothing')\n";
    let python = std::env::var("MINDFILE_TEST_PYTHON").unwrap();
    let prefix = options.uri.strip_prefix("s3://notes/").unwrap();
    let asked = std::process::Command::new(python)
        .args(["-c", &format!("{client}{code}"), &options.storage_options["endpoint"], prefix, needle])
        .output()
        .unwrap();
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
    String::from_utf8(asked.stdout).unwrap()
}

#[test]
fn nothing_of_a_forgotten_text_is_left_in_any_object() {
    let Some(options) = bucket() else { return };
    let index = LanceIndex::open(&options).unwrap();
    apply(&index, put("memory/a.md", &["quokkasecret lives in Perth", "walk dog"]));
    assert!(!objects_with(&options, "quokkasecret").is_empty(), "the search would find it");
    let secret = vector("quokkasecret lives in Perth");
    let before = decoded(&part_of(&options), &options.storage_options);
    assert!(before.has("quokkasecret") && before.vectors.contains(&secret), "and so would this one");
    let changes =
        vec![Change::Forget { hashes: Vec::new(), ids: Vec::new() }, put("memory/a.md", &["walk dog"])];
    index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    assert_eq!(index.purge().unwrap(), PurgeOutcome::Done);
    assert_eq!(objects_with(&options, "quokka"), Vec::<String>::new());
    let after = decoded(&part_of(&options), &options.storage_options);
    assert!(!after.has("quokkasecret") && !after.vectors.contains(&secret) && after.has("walk"));
    assert!(after.versions.iter().all(|versions| *versions == 1), "{:?}", after.versions);
    let named = |name: &&String| name.ends_with(".lance");
    assert_eq!(names(&options).iter().filter(named).count(), after.files, "an object that no version names");
    let snapshot = index.snapshot().unwrap();
    assert_eq!(
        snapshot
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(&["dog".to_owned()]), &Filter::default(), 5)
            .unwrap()
            .hits
            .len(),
        1
    );
}

#[test]
fn a_rebuild_in_a_bucket_takes_its_place() {
    let Some(options) = bucket() else { return };
    let index = LanceIndex::open(&options).unwrap();
    apply(&index, put("old.md", &["coffee"]));
    let made = index.rebuild(false).unwrap().unwrap();
    assert!(LanceIndex::open(&options).unwrap().rebuild(false).unwrap().is_none(), "one at a time");
    made.index()
        .unwrap()
        .apply(&Batch { changes: vec![put("a.md", &["walk"])], ..Batch::default() })
        .unwrap();
    made.replace().unwrap();
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.notes(NoteQuery::All).unwrap()[0].path, "a.md");
    index.verify().unwrap();
}
